"""Does the kernel of this machine hold to the filter of system calls?"""

from __future__ import annotations

import errno
import json
import mmap
import socket

import pytest

from arena.sandbox import syscalls
from arena.sandbox.cages import NoCage, best_cage
from arena.sandbox.syscalls import DENIED, Call, this_machine
from tests.sandbox.caged import end_of
from tests.sandbox.calls import ORDINARY


@pytest.mark.parametrize("way", ["auto", "landlock"])
def test_the_kernel_holds_to_it(way: str) -> None:
    machine = this_machine()
    assert machine
    calls: dict[str, tuple[Call, list[int]]] = {
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
    numbers = {name: [call.here(machine), *rest] for name, (call, rest) in calls.items()}
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
    assert json.loads(end_of(code, way=way).printed) == {
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


def test_programs_touch_copy_and_save_files_as_they_are_used_to() -> None:
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
        cage = best_cage()
    except NoCage as error:
        pytest.skip(str(error))
    if cage.mark != "bubblewrap":
        pytest.skip("there is no /tmp in it")
    names = ["all", "database", "mapped", "touched", "touched", "written", "written"]
    assert end_of(code).printed == f"1 False\n{names}\n"


@pytest.mark.skipif(this_machine() != "x86_64", reason="only x86_64 has calls of the x32 kind")
def test_the_kernel_kills_for_a_foreign_call() -> None:
    end = end_of("import ctypes\nctypes.CDLL(None).syscall(0x40000000 | 39)")
    assert end.how == "was ended by SIGSYS"
