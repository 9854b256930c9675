"""How is a bot shut in where bubblewrap cannot run?

With Landlock, the same filter of system calls, and limits, in one process without namespaces. It
sees the names of files and can knock at unix sockets that its uid may open; nothing is writable, so
it has no /tmp, and it cannot start processes.
"""

from __future__ import annotations

import marshal
import os
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from arena.sandbox import landlocked
from arena.sandbox.inmate import ALTERNATIVES, SYSTEM, Inmate
from arena.sandbox.process import start
from arena.sandbox.rlimits import rlimits, tasks
from arena.sandbox.seccomp import filter_program
from arena.sandbox.syscalls import this_machine
from arena.sandbox.uids import dropping_to

_STANDS_FOR_PID = 0x5EA7B07
"""Written into the filter where the bot's own process id belongs, which is not known before."""
_READABLE = (
    *SYSTEM,
    ALTERNATIVES,
    "/etc/ld.so.cache",
    # Node ends at once if this is there and closed.
    "/etc/ssl/openssl.cnf",
    "/dev/urandom",
)


def begin(inmate: Inmate, variables: Mapping[str, str], uid: int | None) -> subprocess.Popen[bytes]:
    """Start a bot, as another user if one is named."""
    machine = this_machine()
    assert machine, "a cage is tried before it is used"
    environment = inmate.environment
    limits = {f"RLIMIT_{k.upper()}": v for k, v in rlimits(inmate.limits, inmate.command).items()}
    # Nothing of its own is writable, so that this only ends what it does by mistake.
    limits["RLIMIT_FSIZE"] = 0
    if uid is not None:
        # Nobody else has this uid; of a user's own processes it would count all.
        limits["RLIMIT_NPROC"] = tasks(inmate.limits)
    document = {
        "referee": os.getpid(),
        "limits": limits,
        "readable": [
            *_READABLE,
            *map(str, (environment.root, environment.prefix, inmate.folder, *inmate.prefixes)),
        ],
        "writable": ["/dev/null"],
        "folder": str(inmate.folder),
        "filter": filter_program(machine, only_signal=_STANDS_FOR_PID),
        "stands_for_pid": _STANDS_FOR_PID,
        "command": list(inmate.command),
        "variables": {**variables, **inmate.own_variables},
    }
    read, write = os.pipe()
    try:
        # Given to the interpreter as it is: the bot's uid may not be able to read our own files.
        source = Path(landlocked.__file__).read_text(encoding="utf-8")
        words = [str(environment.interpreter), "-I", "-S", "-B", "-c", source, str(read)]
        popen = start([*(dropping_to(uid) if uid is not None else []), *words], pass_fds=(read,))
    except BaseException:
        os.close(write)
        raise
    finally:
        os.close(read)
    # One that has ended already reads nothing, and is heard of like any other.
    with suppress(BrokenPipeError), open(write, "wb") as file:
        marshal.dump(document, file)
    return popen


def is_there() -> bool:
    """Tell whether the kernel has Landlock."""
    return landlocked.abi() > 0
