"""Attacks that gain privileges: namespaces, mounts, set-uid programs, limits."""

from __future__ import annotations

import contextlib
import os
import resource
from typing import NoReturn

from .common import Contained, call, facts

_CLONE_NEWNS, _CLONE_NEWUTS, _CLONE_NEWUSER = 0x20000, 0x4000000, 0x10000000
_SIGCHLD = 17
_MS_REMOUNT, _MS_BIND, _MS_PRIVATE, _MS_REC = 0x20, 0x1000, 0x40000, 0x4000
_MNT_DETACH = 2
_PR_GET_NO_NEW_PRIVS = 39
_ENOUGH = 1 << 40


def user_namespace() -> str:
    """Become root in a new user namespace."""
    call("unshare", _CLONE_NEWUSER)
    return "has its own user namespace"


def cloned_namespace() -> str:
    """Start a process in a new namespace."""
    child = call("clone", _CLONE_NEWUSER | _SIGCHLD, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return "started a process in its own user namespace"


def entered_namespace() -> str:
    """Enter the namespace of another process."""
    call("setns", os.pidfd_open(facts().canary), _CLONE_NEWUTS)
    return "is in the canary's namespace"


def _isolate_mounts() -> bool:
    """Protect the machine's mounts first; mount something only if that works."""
    with contextlib.suppress(OSError):
        call("unshare", _CLONE_NEWNS)
        call("mount", b"none", b"/", None, _MS_REC | _MS_PRIVATE, None)
        return True
    return False


def _mount_here() -> None:
    call("mount", b"none", b".", b"tmpfs", 0, None)


def mount() -> str:
    """Mount an empty folder over its own folder."""
    _isolate_mounts()
    _mount_here()
    return "mounted over its folder"


def unmount() -> str:
    """Unmount something."""
    if _isolate_mounts():
        _mount_here()
        call("umount2", os.fsencode(os.getcwd()), _MNT_DETACH)
    else:
        call("umount2", b"/bot", _MNT_DETACH)
    return "took a mount away"


def writable() -> str:
    """Remount a read-only mount as writable."""
    if _isolate_mounts():
        _mount_here()
        call("mount", b"none", os.fsencode(os.getcwd()), None, _MS_REMOUNT | _MS_BIND, None)
    else:
        call("mount", b"none", b"/bot", None, _MS_REMOUNT | _MS_BIND, None)
    return "mounted anew"


def new_mount() -> str:
    """Prepare a mount by the newer calls."""
    os.close(call("fsopen", b"tmpfs", 0))
    return "opened a file system"


def other_root() -> str:
    """Change its root."""
    call("chroot", b".")
    return "has another root"


def swapped_root() -> str:
    """Swap the root of all mounts."""
    if _isolate_mounts():
        _mount_here()
        # Into the new mount.
        os.chdir(os.getcwd())
    call("pivot_root", b".", b".")
    return "swapped the root"


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
