"""Does the kernel of this machine hold to the filter of system calls?"""

from __future__ import annotations

import errno
import json
import mmap
import socket

import pytest

from arena.sandbox import syscalls
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
        "thread": 0,
    }


@pytest.mark.skipif(this_machine() != "x86_64", reason="only x86_64 has calls of the x32 kind")
def test_the_kernel_kills_for_a_foreign_call() -> None:
    end = end_of("import ctypes\nctypes.CDLL(None).syscall(0x40000000 | 39)")
    assert end.how == "was ended by SIGSYS"
