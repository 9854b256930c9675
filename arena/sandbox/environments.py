"""Which Python does a caged bot run, and what can it import there?

An environment is a folder like a virtual one. It holds what the SDK needs, and what a bot requires
beyond that; nothing of the referee, and nothing else that happens to be installed here.
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

import arena
from arena.errors import PlatformError
from arena.sandbox.cache import made_once
from arena.sandbox.installed import BrokenInstallation, Package, sdk_packages
from arena.sandbox.locks import Lock
from arena.sandbox.wheels import BadRequirements, check_size, install

_LAYOUT = 2
"""To be raised whenever an environment is laid out in another way."""
_OURS = ("__init__.py", "errors.py")
_OUR_FOLDERS = ("games", "wire", "sdk")
_SUFFIXES = (".py", ".md")
_ASKED = "import sys, _imp, json; print(json.dumps([sys._base_executable, sys.base_prefix, "
_ASKED += "sys.version, _imp.extension_suffixes()[0]]))"
_ANSWER_S = 20
_COMPILING_S = 600


class UnfitPython(PlatformError):
    """A Python that cannot run what bots need."""


@dataclass(frozen=True, slots=True)
class Environment:
    """A Python for bots, and what of the machine it needs and must not see."""

    root: Path
    """The folder like a virtual environment."""
    interpreter: Path
    """The machine's program that `bin/python` points to."""
    prefix: Path
    """The folder of that interpreter, with its standard library: it must be seen in the cage."""
    hidden: tuple[Path, ...]
    """The folders of packages of this machine, which must not be seen."""


def plain_environment(*, python: Path | None = None) -> Environment:
    """Return the environment with the SDK and nothing else, made if it is not there yet."""
    return environment_for(Lock(()), python=python)


def environment_for(lock: Lock, *, python: Path | None = None) -> Environment:
    """Return the environment with the SDK and what a lock names, made if it is not there yet.

    `python` is another interpreter than the running one: it must be one for the same packages.
    """
    interpreter = _interpreter(python)
    sdk = _sdk()
    packages = sdk_packages()

    def fill(root: Path) -> None:
        _lay_out(root, interpreter)
        library = root / interpreter.library
        _add_sdk(library, sdk)
        _add_packages(library, packages)
        if lock.wheels:
            _add_wheels(library, lock)
        _compile(library)

    root = made_once(_key(interpreter, sdk, packages, lock), fill)
    hidden = tuple(_hidden(interpreter.prefix))
    return Environment(root, interpreter.program, interpreter.prefix, hidden)


@dataclass(frozen=True, slots=True)
class _Interpreter:
    program: Path
    prefix: Path
    version: str
    suffix: str
    """How the names of compiled modules end that fit it."""

    @property
    def library(self) -> str:
        return f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"


@cache
def _interpreter(python: Path | None) -> _Interpreter:
    # `sys.executable` would be a virtual environment's own program, which may be a copy.
    program = sys._base_executable  # type: ignore[attr-defined]  # the stubs leave it out
    here = _described([program, sys.base_prefix, sys.version, _imp.extension_suffixes()[0]])
    if python is None:
        return here
    try:
        answer = subprocess.run(
            [python, "-I", "-S", "-c", _ASKED],
            capture_output=True,
            check=True,
            timeout=_ANSWER_S,
            cwd="/",
        )
        there = _described(json.loads(answer.stdout))
    except (OSError, ValueError, TypeError, subprocess.SubprocessError):
        raise UnfitPython(f"{python} is not a Python that can be run") from None
    if there.suffix != here.suffix:
        raise UnfitPython(
            f"{python} cannot run the packages of {here.program}: its compiled modules end in "
            f"{there.suffix!r}, not in {here.suffix!r}. Name another Python "
            f"{sys.version_info.major}.{sys.version_info.minor}"
        )
    return there


def _described(answer: list[str]) -> _Interpreter:
    program, prefix, version, suffix = answer
    return _Interpreter(Path(program).resolve(), Path(prefix).resolve(), version, suffix)


def _hidden(prefix: Path) -> list[Path]:
    # /usr as well, because a cage shows it for the sake of its shared libraries.
    found = {
        folder.resolve()
        for base in (prefix, prefix / "local", Path("/usr"), Path("/usr/local"))
        for kind in ("site-packages", "dist-packages")
        for folder in base.glob(f"lib*/python*/{kind}")
    }
    return sorted(found)


def _sdk() -> dict[Path, bytes]:
    """Read our own files, each with its place below `site-packages`.

    They are read once, so that what is named by their content holds that content.
    """
    top = Path(arena.__file__).parent
    files = [top / name for name in _OURS]
    files += [file for folder in _OUR_FOLDERS for file in sorted((top / folder).rglob("*.*"))]
    return {
        file.relative_to(top.parent): file.read_bytes()
        for file in files
        if file.suffix in _SUFFIXES
    }


def _key(
    interpreter: _Interpreter, sdk: dict[Path, bytes], packages: list[Package], lock: Lock
) -> str:
    """Return a name that changes with anything that goes into an environment."""
    total = sha256(f"{_LAYOUT}\n{interpreter}\n{lock}\n".encode())
    for package in packages:
        total.update(f"{package.name} {package.version}\n{package.record}\n".encode())
    for place, content in sdk.items():
        total.update(f"{place} {len(content)}\n".encode() + content)
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
    for place, content in sdk.items():
        (library / place).parent.mkdir(parents=True, exist_ok=True)
        (library / place).write_bytes(content)


def _add_packages(library: Path, packages: list[Package]) -> None:
    for package in packages:
        for place in package.files():
            (library / place).parent.mkdir(parents=True, exist_ok=True)
            try:
                shutil.copyfile(package.info.parent / place, library / place)
            except FileNotFoundError:
                raise BrokenInstallation(
                    f"{package.name} has lost its file {place}: install it again, with pip"
                ) from None


def _add_wheels(library: Path, lock: Lock) -> None:
    with tempfile.TemporaryDirectory(dir=library) as name:
        folder = Path(name)
        (folder / "lock.txt").write_text(str(lock), encoding="utf-8")
        arguments = ["--no-deps", "--require-hashes", "--no-compile", "--target", "wheels"]
        install(*arguments, "--requirement", "lock.txt", folder=folder)
        check_size(folder / "wheels")
        _move(folder / "wheels", library)


def _move(wheels: Path, library: Path) -> None:
    """Put wheels beside what is there: folders may be shared, as namespaces are, files may not."""
    for path, _, files in os.walk(wheels):
        folder = library / Path(path).relative_to(wheels)
        folder.mkdir(parents=True, exist_ok=True)
        for name in files:
            place = folder / name
            if place.exists():
                raise BadRequirements(
                    f"the required packages bring {place.relative_to(library)}, which is the SDK's"
                )
            os.rename(os.path.join(path, name), place)


def _compile(library: Path) -> None:
    """Compile a folder in another process, since compiling may fail in ways that end it."""
    command = [sys.executable, "-I", "-S", "-m", "compileall", "-qq"]
    command += ["--invalidation-mode", "unchecked-hash", str(library)]
    # What is not compiled now is compiled at each start: slow, but not wrong.
    with suppress(subprocess.TimeoutExpired):
        subprocess.run(command, stdin=subprocess.DEVNULL, timeout=_COMPILING_S, check=False)
