"""Pack wheels and source packages for tests, without any network."""

from __future__ import annotations

import os
import tarfile
from collections.abc import Mapping, Sequence
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from arena.errors import PlatformError
from arena.sandbox.packages.lockfile import Lockfile, Wheel, lockfile_for


def use_wheelhouse(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Make a folder the only one in which pip looks for packages, without any network."""
    patch.setenv("PIP_CONFIG_FILE", os.devnull)
    patch.setenv("PIP_NO_INDEX", "1")
    patch.setenv("PIP_FIND_LINKS", str(folder))
    patch.setenv("no_proxy", "*")


def pack_wheel(
    wheelhouse: Path,
    name: str,
    version: str,
    *,
    requires: Sequence[str] = (),
    files: Mapping[str, str] | None = None,
) -> Wheel:
    """Pack a wheel with a module of the same name, or with other files."""
    info = f"{name}-{version}.dist-info"
    head = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    all_files = {
        **(files or {f"{name}.py": f"version = {version!r}\n"}),
        f"{info}/METADATA": head + "".join(f"Requires-Dist: {text}\n" for text in requires),
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},,\n" for path in [*all_files, f"{info}/RECORD"])
    path = wheelhouse / f"{name}-{version}-py3-none-any.whl"
    with ZipFile(path, "w") as file:
        for inside, text in {**all_files, f"{info}/RECORD": record}.items():
            file.writestr(inside, text)
    return Wheel(name, version, sha256(path.read_bytes()).hexdigest())


def pack_source(wheelhouse: Path, name: str, code: str = "") -> Path:
    """Pack a source package that runs some code as soon as pip queries it."""
    files = {
        "pyproject.toml": "[build-system]\nrequires = []\nbuild-backend = 'build'\n"
        "backend-path = ['.']\n",
        "build.py": code,
    }
    path = wheelhouse / f"{name}-1.0.tar.gz"
    with tarfile.open(path, "w:gz") as file:
        for inside, text in files.items():
            entry = tarfile.TarInfo(f"{name}-1.0/{inside}")
            entry.size = len(text)
            file.addfile(entry, BytesIO(text.encode()))
    return path


def locked_from_the_index(requirement: str) -> Lockfile:
    """Lock a package from the real index; skip the test if the index cannot be reached."""
    try:
        return lockfile_for([requirement])
    except PlatformError as error:
        if "cannot be reached" in str(error):
            pytest.skip("the package index cannot be reached")
        raise
