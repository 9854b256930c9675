"""Attacks that signal, trace, read or change other processes."""

from __future__ import annotations

import fcntl
import os
import resource
import signal
import socket
import struct
import time

from .common import Contained, call, facts, shared_file

_SI_QUEUE = -1


def asked() -> str:
    """Ask whether a process can be signalled."""
    os.kill(facts().canary, 0)
    return "the canary can be signalled"


def any_process() -> str:
    """Ask whether any process can be signalled."""
    os.kill(-1, 0)
    return "some process can be signalled"


def signalled() -> str:
    """Send a harmless signal."""
    os.kill(facts().canary, signal.SIGWINCH)
    return "sent"


def queued() -> str:
    """Send it with rt_sigqueueinfo."""
    described = struct.pack("iii116x", signal.SIGWINCH, 0, _SI_QUEUE)
    call("rt_sigqueueinfo", facts().canary, signal.SIGWINCH, described)
    return "sent"


def to_a_thread() -> str:
    """Send it with tgkill."""
    call("tgkill", facts().canary, facts().canary, signal.SIGWINCH)
    return "sent"


def by_the_kernel() -> str:
    """Have the kernel send it when there is something to read."""
    here, there = socket.socketpair()
    fcntl.fcntl(here, fcntl.F_SETSIG, signal.SIGWINCH)
    fcntl.fcntl(here, fcntl.F_SETOWN, facts().canary)
    fcntl.fcntl(here, fcntl.F_SETFL, fcntl.fcntl(here, fcntl.F_GETFL) | os.O_ASYNC)
    there.send(b"x")
    return "asked for"


def limits() -> str:
    """Change the limits of a process."""
    canary = facts().canary
    soft, hard = resource.prlimit(canary, resource.RLIMIT_NOFILE)
    resource.prlimit(canary, resource.RLIMIT_NOFILE, (soft - 1, hard))
    return f"the canary may open {soft - 1} files"


def processor_time() -> str:
    """Learn how much CPU time another process has used."""
    return f"{time.clock_gettime((~facts().canary << 3) | 2):.3f} s"


def lock() -> str:
    """Learn what another bot is doing from the lock on a shared file."""
    with shared_file("__init__.py").open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return "the other bot holds it"
    raise Contained("no one holds it")


def lease() -> str:
    """Keep other bots from opening a shared file, by a lease."""
    with shared_file("errors.py").open("rb") as file:
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return "no one else could open it"


def wait_with_a_lock() -> str:
    """Hold that lock, as the other bot does."""
    with shared_file("__init__.py").open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        print("ready", flush=True)
        time.sleep(120)
    return "waited"
