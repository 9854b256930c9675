"""The kernel of this machine enforces the system call filter."""

from __future__ import annotations

import errno
import json
import mmap
import socket

import pytest

from arena.sandbox.limits import syscalls
from arena.sandbox.limits.syscalls import DENIED, SystemCall, supported_machine
from arena.sandbox.select import AUTO, NoCage, select_cage
from tests.sandbox.caged_bot import run_to_end
from tests.sandbox.filter_calls import ORDINARY


@pytest.mark.parametrize("cage_name", ["auto", "landlock"])
def test_the_kernel_enforces_the_filter(cage_name: str) -> None:
    machine = supported_machine()
    assert machine
    calls: dict[str, tuple[SystemCall, list[int]]] = {
        "unshare": (DENIED["unshare"], [0]),
        "memfd_create": (DENIED["memfd_create"], [0]),
        "clone3": (syscalls.CLONE3, [0]),
        "mmap": (syscalls.MMAP, [0, 4096, 3, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS, -1, 0]),
        "socket": (syscalls.SOCKET, [int(socket.AF_INET), int(socket.SOCK_STREAM), 0]),
        "unix": (syscalls.SOCKET, [int(socket.AF_UNIX), int(socket.SOCK_STREAM), 0]),
        "getpid": (ORDINARY["getpid"], []),
        "preadv2": (syscalls.PREADV2, [0, 0, 0, 0, 0, 8]),
        "mincore": (syscalls.MISSING["mincore"], [0, 0, 0]),
        "fadvise64": (syscalls.IGNORED["fadvise64"], [-1, 0, 0, 4]),
        "madvise": (syscalls.MADVISE, [0, 0, 21]),
        "hint": (syscalls.FCNTL, [0, 1036, 0]),
        "ioctl": (syscalls.IOCTL, [0, 2, 0]),
    }
    numbers = {name: [call.number_on(machine), *rest] for name, (call, rest) in calls.items()}
    code = f"""
import ctypes, json, threading
libc = ctypes.CDLL(None, use_errno=True)
def error(*words):
    ctypes.set_errno(0)
    libc.syscall(*words)
    return ctypes.get_errno()
found = {{name: error(*words) for name, words in {numbers!r}.items()}}
thread = threading.Thread(target=found.update, args=({{"thread": 0}},))
thread.start()
thread.join()
print(json.dumps(found))
"""
    assert json.loads(run_to_end(code, cage_name=cage_name).printed) == {
        "unshare": errno.EPERM,
        "memfd_create": errno.EPERM,
        "clone3": errno.ENOSYS,
        "mmap": errno.ENOMEM,
        "socket": errno.EAFNOSUPPORT,
        "unix": 0,
        "getpid": 0,
        "preadv2": errno.EOPNOTSUPP,
        "mincore": errno.ENOSYS,
        "fadvise64": 0,
        "madvise": errno.EINVAL,
        "hint": errno.EPERM,
        "ioctl": errno.ENOTTY,
        "thread": 0,
    }


def test_programs_can_touch_copy_and_save_files() -> None:
    code = """
import mmap, os, pathlib, shutil, sqlite3
folder = pathlib.Path("/tmp/kept")
folder.mkdir()
for _ in range(2):
    (folder / "touched").touch()
(folder / "written").write_text("x")
shutil.copytree(folder, folder / "all")
with sqlite3.connect(folder / "database") as database:
    database.execute("create table kept (number)")
with open(folder / "mapped", "wb+") as file:
    file.truncate(mmap.PAGESIZE)
    with mmap.mmap(file.fileno(), 0) as mapped:
        mapped[:1] = b"x"
        mapped.flush()
    os.fsync(file)
    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    print(os.preadv(file.fileno(), [bytearray(1)], 0), os.isatty(file.fileno()))
print(sorted(path.name for path in folder.rglob("*")))
"""
    try:
        cage = select_cage(AUTO)
    except NoCage as error:
        pytest.skip(str(error))
    if cage.mark != "bubblewrap":
        pytest.skip("there is no /tmp in it")
    names = ["all", "database", "mapped", "touched", "touched", "written", "written"]
    assert run_to_end(code).printed == f"1 False\n{names}\n"
