"""Attacks that gain privileges: namespaces, mounts, set-uid programs, limits."""

from __future__ import annotations

import contextlib
import os
import resource
from typing import NoReturn

from .common import Contained, call

_CLONE_NEWUSER = 0x10000000
_SIGCHLD = 17
_PR_GET_NO_NEW_PRIVS = 39
_ENOUGH = 1 << 40


def cloned_namespace() -> str:
    """Start a process in a new namespace."""
    child = call("clone", _CLONE_NEWUSER | _SIGCHLD, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return "started a process in its own user namespace"


def new_privileges() -> str:
    """Ask whether programs that it runs may gain privileges."""
    if call("prctl", _PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0):
        raise Contained("they may not")
    return "programs may gain privileges"


def capabilities() -> str:
    """Leave its groups, which needs a capability."""
    os.setgroups([])
    return "left its groups"


def other_user() -> str:
    """Become another user."""
    for uid in {0, 1} - {os.geteuid()}:
        with contextlib.suppress(OSError):
            os.setuid(uid)
            return f"is user {uid}"
    raise Contained("stays who it is")


def own_limits() -> str:
    """Raise its own limits."""
    names = ("AS", "DATA", "FSIZE", "NOFILE", "CORE")
    endless = []
    for name in names:
        kind = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(kind)[1]
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (hard, resource.RLIM_INFINITY))
        hard = resource.getrlimit(kind)[1]
        if hard == resource.RLIM_INFINITY or hard > _ENOUGH:
            endless.append(name)
    if not endless:
        raise Contained("all of them hold")
    return f"no limit: {', '.join(endless)}"


def preloaded() -> NoReturn:
    """Print nothing: the preloaded library has already reported."""
    os._exit(0)
