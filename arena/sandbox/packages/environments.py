"""Python environments for caged bots.

An environment is a folder like a virtual environment. It holds the SDK, the games of other
packages, the packages that these need and the bot's requirements; nothing of the referee, and
nothing else that happens to be installed on this machine.
"""

from __future__ import annotations

import _imp
import json
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import arena
from arena.errors import PlatformError
from arena.sandbox.packages.cache import cached_folder
from arena.sandbox.packages.games import (
    BrokenInstallation,
    game_files,
    package_files,
    required_packages,
)
from arena.sandbox.packages.lockfile import Lockfile
from arena.sandbox.packages.wheels import BadRequirements, check_size, install
from arena.wire.backend import IN_USE, PYTHON

if TYPE_CHECKING:
    from importlib.metadata import Distribution

_LAYOUT = 2
"""Increase it whenever the layout of an environment changes."""
_SDK_FILES = ("__init__.py", "errors.py", "text.py")
_SDK_FOLDERS = ("games", "wire", "sdk")
_SUFFIXES = (".py", ".md")
_QUERY = "import os, sys, _imp, json; print(json.dumps([sys._base_executable, sys.base_prefix, "
_QUERY += "os.__file__, sys.version, _imp.extension_suffixes()[0]]))"
_QUERY_TIMEOUT_S = 20
_COMPILE_TIMEOUT_S = 600


class UnsuitablePython(PlatformError):
    """A Python that cannot run what bots need."""


@dataclass(frozen=True, slots=True)
class Environment:
    """A Python for bots, with what it needs of this machine."""

    root: Path
    """The environment's folder."""
    interpreter: Path
    """The interpreter of this machine that `bin/python` points to."""
    prefix: Path
    """The folder that this interpreter was installed into."""
    library: Path
    """The folder of its standard library."""


def plain_environment(*, python: Path | None = None) -> Environment:
    """Return the environment with only the SDK, making it if necessary."""
    return environment_for(Lockfile(()), python=python)


def environment_for(lock: Lockfile, *, python: Path | None = None) -> Environment:
    """Return the environment with the SDK and the wheels of a lockfile, making it if necessary.

    `python` is an interpreter other than the running one; it must be able to run the same packages.
    """
    interpreter = _interpreter(python)
    sdk = _read_sdk() | game_files()
    packages = required_packages()

    def fill(root: Path) -> None:
        _lay_out(root, interpreter)
        library = root / interpreter.library
        _add_sdk(library, sdk)
        _add_packages(library, packages)
        if lock.wheels:
            _add_wheels(library, lock)
        _compile(library)

    root = cached_folder(_key(interpreter, sdk, packages, lock), fill)
    return Environment(root, interpreter.program, interpreter.prefix, interpreter.standard)


@dataclass(frozen=True, slots=True)
class _Interpreter:
    program: Path
    prefix: Path
    standard: Path
    """The folder of its standard library."""
    version: str
    suffix: str
    """The file suffix of compiled modules for this interpreter."""

    @property
    def library(self) -> str:
        return f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"


@cache
def _interpreter(python: Path | None) -> _Interpreter:
    # In a virtual environment, `sys.executable` may be a copy of the interpreter.
    program = sys._base_executable  # type: ignore[attr-defined]  # the stubs leave it out
    here = _parse_interpreter(
        [program, sys.base_prefix, os.__file__, sys.version, _imp.extension_suffixes()[0]]
    )
    if python is None:
        return here
    try:
        answer = subprocess.run(
            [python, "-I", "-S", "-c", _QUERY],
            capture_output=True,
            check=True,
            timeout=_QUERY_TIMEOUT_S,
            cwd="/",
        )
        there = _parse_interpreter(json.loads(answer.stdout))
    except (OSError, ValueError, TypeError, subprocess.SubprocessError):
        raise UnsuitablePython(f"cannot run {python} as a Python interpreter") from None
    if there.suffix != here.suffix:
        raise UnsuitablePython(
            f"{python} cannot run the packages of {here.program}: its compiled modules end in "
            f"{there.suffix!r}, not in {here.suffix!r}; use another Python "
            f"{sys.version_info.major}.{sys.version_info.minor}"
        )
    return there


def _parse_interpreter(answer: list[str]) -> _Interpreter:
    program, prefix, module, version, suffix = answer
    library = Path(module).parent
    return _Interpreter(
        Path(program).resolve(), Path(prefix).resolve(), library.resolve(), version, suffix
    )


def _read_sdk() -> dict[Path, bytes]:
    """Read our own files, each with its path below `site-packages`.

    They are read only once, so that an environment holds exactly the content that its key names.
    Bots get the codec in C if this process uses it.
    """
    top = Path(arena.__file__).parent
    compiled = _imp.extension_suffixes()[:1] if IN_USE is not PYTHON else []
    suffixes = (*_SUFFIXES, *compiled)
    files = [top / name for name in _SDK_FILES]
    files += [file for folder in _SDK_FOLDERS for file in sorted((top / folder).rglob("*.*"))]
    return {
        file.relative_to(top.parent): file.read_bytes()
        for file in files
        if file.name.endswith(suffixes)
    }


def _key(
    interpreter: _Interpreter, sdk: dict[Path, bytes], packages: list[Distribution], lock: Lockfile
) -> str:
    """Return a name that changes with everything that goes into an environment."""
    total = sha256(f"{_LAYOUT}\n{interpreter}\n{lock}\n".encode())
    for package in packages:
        record = package.read_text("RECORD")
        total.update(f"{package.name} {package.version}\n{record}\n".encode())
    for path, content in sdk.items():
        total.update(f"{path} {len(content)}\n".encode() + content)
    return total.hexdigest()[:32]


def _lay_out(root: Path, interpreter: _Interpreter) -> None:
    (root / "bin").mkdir()
    for name in ("python", "python3"):
        (root / "bin" / name).symlink_to(interpreter.program)
    (root / "pyvenv.cfg").write_text(
        f"home = {interpreter.program.parent}\ninclude-system-site-packages = false\n",
        encoding="utf-8",
    )


def _add_sdk(library: Path, sdk: dict[Path, bytes]) -> None:
    for path, content in sdk.items():
        (library / path).parent.mkdir(parents=True, exist_ok=True)
        (library / path).write_bytes(content)


def _add_packages(library: Path, packages: list[Distribution]) -> None:
    for package in packages:
        for path, file in package_files(package):
            (library / path).parent.mkdir(parents=True, exist_ok=True)
            try:
                shutil.copyfile(file, library / path)
            except FileNotFoundError:
                raise BrokenInstallation(
                    f"{package.name} is missing its file {path}: reinstall it with pip"
                ) from None


def _add_wheels(library: Path, lock: Lockfile) -> None:
    with tempfile.TemporaryDirectory(dir=library) as name:
        folder = Path(name)
        (folder / "lock.txt").write_text(str(lock), encoding="utf-8")
        arguments = ["--no-deps", "--require-hashes", "--no-compile", "--target", "wheels"]
        install(*arguments, "--requirement", "lock.txt", folder=folder)
        check_size(folder / "wheels")
        _merge_wheels(folder / "wheels", library)


def _merge_wheels(wheels: Path, library: Path) -> None:
    """Merge wheels into the library; folders may be shared (namespace packages), files may not."""
    for path, _, files in os.walk(wheels):
        folder = library / Path(path).relative_to(wheels)
        folder.mkdir(parents=True, exist_ok=True)
        for name in files:
            target = folder / name
            if target.exists():
                raise BadRequirements(
                    f"the required packages contain {target.relative_to(library)}, which belongs "
                    "to the SDK"
                )
            os.rename(os.path.join(path, name), target)


def _compile(library: Path) -> None:
    """Compile a folder in another process, because compiling may crash."""
    command = [sys.executable, "-I", "-S", "-m", "compileall", "-qq"]
    command += ["--invalidation-mode", "unchecked-hash", str(library)]
    # Modules not compiled now are compiled at each start: slower, but correct.
    with suppress(subprocess.TimeoutExpired):
        subprocess.run(command, stdin=subprocess.DEVNULL, timeout=_COMPILE_TIMEOUT_S, check=False)
