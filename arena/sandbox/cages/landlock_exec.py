"""Restrict the current process to what a bot may have, then execute the bot.

This runs on its own as a script, with the standard library only. It reads what is allowed from a
descriptor and gives up everything else permanently (Landlock, seccomp, limits). It imports little,
because each bot waits for it.
"""

from __future__ import annotations

import ctypes
import marshal
import os
import resource
import struct
import sys

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_PATH_BENEATH = 1
_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP = 1, 38, 22
_SIGKILL = 9
_SECCOMP_MODE_FILTER = 2
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_FILE_RIGHTS = _EXECUTE | _WRITE_FILE | _READ_FILE
_RIGHTS_BY_ABI = (13, 14, 15, 15, 16)
"""Number of file rights in each version of Landlock."""
_SCOPED = 3
"""No abstract sockets of other processes, no signals to them."""
_TCP = 3
"""Neither bind nor connect."""

_libc = ctypes.CDLL(None, use_errno=True)


def abi() -> int:
    """Return the kernel's version of Landlock; 0 if it has none."""
    found: int = _libc.syscall(_CREATE_RULESET, None, 0, 1)
    return max(found, 0)


def restrict(readable: list[str], writable: list[str]) -> None:
    """Give up TCP, all files except these and, where supported, access to other processes."""
    version = abi()
    if version < 1:
        raise OSError("this kernel has no Landlock")
    rights = (1 << _RIGHTS_BY_ABI[min(version, len(_RIGHTS_BY_ABI)) - 1]) - 1
    attributes = struct.pack("=Q", rights)
    if version >= 4:
        attributes += struct.pack("=Q", _TCP)
    if version >= 6:
        attributes += struct.pack("=Q", _SCOPED)
    ruleset = _check(_libc.syscall(_CREATE_RULESET, attributes, len(attributes), 0))
    for paths, wanted in (
        (readable, _EXECUTE | _READ_FILE | _READ_DIR),
        (writable, _READ_FILE | _WRITE_FILE),
    ):
        for path in paths:
            _allow(ruleset, path, wanted & rights)
    _check(_libc.syscall(_RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    if not os.path.isdir(path):
        rights &= _FILE_RIGHTS
    rule = struct.pack("=Qi", rights, descriptor)
    _check(_libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0))
    os.close(descriptor)


def filter_calls(program: bytes) -> None:
    """Install the system call filter."""
    instructions = ctypes.create_string_buffer(program, len(program))
    head = struct.pack("@HP", len(program) // 8, ctypes.addressof(instructions))
    _check(_libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, head, 0, 0))


def _check(result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def main() -> None:
    """Become the bot."""
    with open(int(sys.argv[1]), "rb") as file:
        config = marshal.load(file)
    _check(_libc.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0))
    if os.getppid() != config["referee"]:
        sys.exit("the referee has ended")
    for name, value in config["limits"].items():
        resource.setrlimit(getattr(resource, name), (value, value))
    _check(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    restrict(config["readable"], config["writable"])
    os.chdir(config["folder"])
    # The bot may send signals only to itself.
    program = config["filter"].replace(
        struct.pack("=I", config["pid_placeholder"]), struct.pack("=I", os.getpid())
    )
    filter_calls(program)
    try:
        os.execve(config["command"][0], config["command"], config["variables"])
    except OSError as error:
        print(f"{config['command'][0]}: {error.strerror}", file=sys.stderr)
        # The exit code that shells and bubblewrap use.
        sys.exit(127)


if __name__ == "__main__":
    main()
