"""A weaker cage, with Landlock, where bubblewrap cannot run.

The bot is one process without namespaces, restricted by Landlock, the same system call filter and
the same limits. It can see the names of files and connect to unix sockets that its uid may open.
Nothing is writable, so it has no /tmp.
"""

from __future__ import annotations

import marshal
import os
import stat
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from arena.sandbox.bot_process import start_process
from arena.sandbox.cage import INSTALL, IsolatingCage, Payload, environment_variables
from arena.sandbox.cages import landlock_exec
from arena.sandbox.image.programs import ALTERNATIVES, SYSTEM
from arena.sandbox.limits.rlimits import rlimits, task_limit
from arena.sandbox.limits.seccomp import filter_program
from arena.sandbox.limits.syscalls import supported_machine
from arena.sandbox.uids import closed_folder, setpriv_command

_PID_PLACEHOLDER = 0x5EA7B07
"""Stands in the filter for the bot's process id, which is not known yet."""
_READABLE = (
    *SYSTEM,
    ALTERNATIVES,
    "/etc/ld.so.cache",
    # Node exits at once if this file exists and cannot be read.
    "/etc/ssl/openssl.cnf",
    "/dev/urandom",
)


class LandlockCage(IsolatingCage):
    """The weaker cage, without namespaces."""

    name = mark = "landlock"
    warning = (
        "a weaker cage (Landlock): bots can see which files exist and connect to unix sockets; "
        f"for a full cage: {INSTALL}"
    )

    def start(
        self, payload: Payload, socket: Path | None, uid: int | None
    ) -> tuple[subprocess.Popen[bytes], int]:
        """Start a bot under Landlock."""
        if socket and uid is not None:
            # No namespace hides a bot's socket from other bots. We keep owning the folder, to
            # clean it up.
            os.chown(socket.parent, -1, uid)
            socket.parent.chmod(0o710)
        variables = {**environment_variables(str(socket)), "HOME": "/"}
        return _start(payload, variables, uid), -1

    def problem(self) -> str | None:
        """Test it, if the kernel has Landlock."""
        return super().problem() if landlock_exec.abi() > 0 else "this kernel has no Landlock"

    def obstacle(self, payload: Payload) -> str | None:
        """Return what keeps the bot's own uid from its files: no mount brings them into reach."""
        if os.geteuid() != 0:
            return None
        environment = payload.environment
        remedies = {
            environment.interpreter: "install a Python elsewhere",
            environment.root: "set ARENA_CACHE to a folder that every user can enter",
            payload.folder: "set TMPDIR to a folder that every user can enter",
        }
        for path, remedy in remedies.items():
            closed = closed_folder(path)
            if closed:
                mode = stat.S_IMODE(closed.stat().st_mode)
                return f"bots cannot reach {path}, because {closed} has mode {mode:04o}: {remedy}"
        return None


def _start(
    payload: Payload, variables: Mapping[str, str], uid: int | None
) -> subprocess.Popen[bytes]:
    """Start a bot, as another user if `uid` is given."""
    machine = supported_machine()
    assert machine, "a cage is tested before it is used"
    environment = payload.environment
    limits = {f"RLIMIT_{k.upper()}": v for k, v in rlimits(payload.limits, payload.command).items()}
    # Nothing is writable anyway; this only catches mistakes.
    limits["RLIMIT_FSIZE"] = 0
    if uid is not None:
        # No other process has this uid. For an ordinary user, all processes would be counted.
        limits["RLIMIT_NPROC"] = task_limit(payload.limits)
    config = {
        "referee": os.getpid(),
        "limits": limits,
        "readable": [
            *_READABLE,
            *map(str, (environment.root, environment.prefix, payload.folder, *payload.prefixes)),
        ],
        "writable": ["/dev/null"],
        "folder": str(payload.folder),
        "filter": filter_program(machine, signal_target=_PID_PLACEHOLDER),
        "pid_placeholder": _PID_PLACEHOLDER,
        "command": list(payload.command),
        "variables": {**variables, **payload.bot_variables},
    }
    read, write = os.pipe()
    try:
        # Passed as source: the bot's uid may not be able to read our files.
        source = Path(landlock_exec.__file__).read_text(encoding="utf-8")
        words = [str(environment.interpreter), "-I", "-S", "-B", "-c", source, str(read)]
        popen = start_process(
            [*(setpriv_command(uid) if uid is not None else []), *words], pass_fds=(read,)
        )
    except BaseException:
        os.close(write)
        raise
    finally:
        os.close(read)
    # A process that has already ended reads nothing; its exit is reported like any other.
    with suppress(BrokenPipeError), open(write, "wb") as file:
        marshal.dump(config, file)
    return popen
