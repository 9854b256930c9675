"""The root folder of a cage: everything that bots need to run, and nothing else of this machine.

All files keep the paths that they have here, so that programs and links find each other. The image
of most bots is Python with its standard library and the libraries that wheels may expect. A bot
that runs another program gets one with that program as well. Programs in a bot's own folder find
the same libraries: files of strangers are never asked which ones they need, because the dynamic
loader of this machine, which knows, would read them.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from arena.errors import PlatformError
from arena.sandbox.image.memory import shared_folder
from arena.sandbox.image.programs import PATH, install_folders, packaged_files
from arena.sandbox.image.tree import Tree
from arena.sandbox.packages.environments import Environment
from arena.submission.manifest import PYTHONS

BOT, ENVIRONMENT = "/bot", "/env"
SOCKET = "/run/arena/referee.sock"
DEVICES = ("/dev/null", "/dev/urandom")
_LAYOUT = 2
"""Increase it whenever other files go into an image."""
_TOOLS = ("setpriv", "prlimit", "env", "sh")
"""What a cage itself runs inside, and what starts scripts."""
_LINKS = ("/bin", "/sbin", "/lib", "/lib32", "/lib64")
_LOCALE = Path("/usr/lib/locale/C.utf8")
_CACHE = "/etc/ld.so.cache"
"""Written by ldconfig: the names of libraries and their paths."""
_LIBRARIES = (
    *("libc.so.6", "libm.so.6", "libdl.so.2", "librt.so.1", "libpthread.so.0", "libutil.so.1"),
    *("libresolv.so.2", "libgcc_s.so.1", "libstdc++.so.6", "libz.so.1", "libexpat.so.1"),
    *("libanl.so.1", "libatomic.so.1"),
)
"""What wheels for any Linux may expect (PEP 600), without those for screens."""
_LIBRARY = ".so"
_UNUSED_FOLDERS = {
    *("test", "tests", "idlelib", "tkinter", "turtledemo", "lib2to3", "ensurepip", "pydoc_data"),
    *("site-packages", "dist-packages", "__phello__"),
}
_UNUSED_PREFIXES = (
    *("config-", "_test", "_xxtestfuzz", "xxlimited", "_tkinter", "turtle."),
    # They need large libraries.
    *("nis.", "_dbm.", "_gdbm."),
)
_UNUSED_SUFFIXES = (".a", ".opt-1.pyc", ".opt-2.pyc")
# An upgrade may have replaced it since this process started.
_LOADER = re.compile(r"(/\S*/ld-[\w.-]+\.so[.\d]*)(?: \(deleted\))?$", re.MULTILINE)
_FOUND = re.compile(r"^\t(?:(\S+) => )?(/.+) \(0x[0-9a-f]+\)$", re.MULTILINE)
_LIST_EACH = 'for each; do "$0" --list "$each"; done'


def environment_in_memory(environment: Environment, bases: Sequence[Path]) -> Path:
    """Return the copy of an environment in one of these folders."""

    def contents() -> Tree:
        tree = Tree()
        tree.add_folder(environment.root, at="/")
        return tree

    return shared_folder(environment.root.name, contents, bases)


def image_for(
    environment: Environment, bases: Sequence[Path], *, program: Path | None = None
) -> Path:
    """Return the image for an environment's Python, made in one of these folders if necessary.

    It may also have another program of this machine.
    """
    stamps = [str(_LAYOUT), *_stamps([environment.interpreter, environment.library, _CACHE])]
    prefixes = install_folders(program) if program else ()
    if program:
        stamps += _stamps([*prefixes, program])

    def contents() -> Tree:
        tree = _python_tree(environment)
        if program:
            _add_program(tree, program, prefixes)
        return tree

    return shared_folder(_key(stamps), contents, bases)


def _key(words: Iterable[str]) -> str:
    return sha256("\n".join(words).encode(errors="surrogateescape")).hexdigest()[:32]


def _stamps(paths: Iterable[str | Path]) -> Iterator[str]:
    """Yield what changes when a file is replaced."""
    for path in paths:
        real = os.path.realpath(path)
        found = os.stat(real) if os.path.exists(real) else None
        yield f"{path} {real} {(found.st_size, found.st_mtime_ns) if found else ''}"


def _python_tree(environment: Environment) -> Tree:
    tree = Tree()
    tree.links |= {name[1:]: os.readlink(name) for name in _LINKS if os.path.islink(name)}
    # For scripts that start Python by its name.
    tree.links |= {f"usr/bin/{name}": f"{ENVIRONMENT}/bin/python" for name in PYTHONS}
    tree.folders |= {name[1:] for name in (BOT, ENVIRONMENT, "/tmp")}
    tree.mount_points |= {name[1:] for name in (*DEVICES, SOCKET)}
    library = list(_standard_library(environment.library))
    for path in (Path(_CACHE), *_LOCALE.glob("**/*"), *library):
        tree.add(path)
    tools = [environment.interpreter, *map(_tool, _TOOLS)]
    modules = [path for path in library if _LIBRARY in path.name]
    _add_programs(tree, [*tools, *modules])
    for name in libraries_named(_LIBRARIES):
        tree.add(Path(name))
    return tree


def _tool(name: str) -> Path:
    found = shutil.which(name, path=PATH)
    if found is None:
        raise PlatformError(f"{name} is not installed in any of {PATH}")
    return Path(found)


def _standard_library(folder: Path) -> Iterator[Path]:
    for path, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if _is_used(name) and name not in _UNUSED_FOLDERS]
        for name in files:
            if _is_used(name):
                yield Path(path, name)


def _is_used(name: str) -> bool:
    return not name.startswith(_UNUSED_PREFIXES) and not name.endswith(_UNUSED_SUFFIXES)


def _add_programs(tree: Tree, files: Iterable[str | Path]) -> None:
    """Add programs or libraries, with the libraries that they need."""
    paths = [str(tree.add(Path(file))) for file in files]
    for library in libraries_of(paths):
        tree.add(Path(library))


def _add_program(tree: Tree, program: Path, prefixes: Iterable[Path]) -> None:
    """Add a program with everything that was installed with it."""
    files = [program, *packaged_files(program)]
    for prefix in prefixes:
        files += tree.add_folder(tree.add(prefix))
    for path in files:
        tree.add(path)
    _add_programs(tree, [path for path in files if _may_be_elf(path)])


def _may_be_elf(path: Path) -> bool:
    mode = path.lstat().st_mode
    return stat.S_ISREG(mode) and (bool(mode & stat.S_IXUSR) or _LIBRARY in path.name)


def libraries_of(files: Iterable[str]) -> set[str]:
    """Return the paths of all libraries that programs and libraries need, and of the loader."""
    return _listed(["sh", "-c", _LIST_EACH, _loader(), *files], {})


def libraries_named(names: Iterable[str]) -> set[str]:
    """Return the paths of the libraries with these names, as far as there are any."""
    return _listed([_loader(), "--list", "/bin/sh"], {"LD_PRELOAD": " ".join(names)})


@cache
def _loader() -> str:
    """Return the loader that this process was started by."""
    found = _LOADER.search(Path("/proc/self/maps").read_text(errors="surrogateescape"))
    if found is None:
        raise PlatformError("this Python is linked statically: bots need one with a loader")
    return found[1]


def _listed(command: list[str], variables: Mapping[str, str]) -> set[str]:
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        errors="surrogateescape",
        env={"LC_ALL": "C", **variables},
        check=False,
    )
    # Programs name the loader itself by a path, which may be a link.
    pairs = _FOUND.findall(done.stdout)
    return {path for pair in pairs for path in pair if path.startswith("/")}
