"""Where do tests get packages from, without any network?"""

from __future__ import annotations

import tarfile
from collections.abc import Mapping, Sequence
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from arena.errors import PlatformError
from arena.sandbox.installed import sdk_packages
from arena.sandbox.locks import Lock, Wheel, lock_of

OURS = {package.name: package.version for package in sdk_packages()}


def pack_wheel(
    shop: Path,
    name: str,
    version: str,
    *,
    requires: Sequence[str] = (),
    files: Mapping[str, str] | None = None,
) -> Wheel:
    """Pack a wheel of a module that has its own name, or of other files."""
    info = f"{name}-{version}.dist-info"
    head = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    whole = {
        **(files or {f"{name}.py": f"version = {version!r}\n"}),
        f"{info}/METADATA": head + "".join(f"Requires-Dist: {text}\n" for text in requires),
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},,\n" for path in [*whole, f"{info}/RECORD"])
    path = shop / f"{name}-{version}-py3-none-any.whl"
    with ZipFile(path, "w") as file:
        for inside, text in {**whole, f"{info}/RECORD": record}.items():
            file.writestr(inside, text)
    return Wheel(name, version, sha256(path.read_bytes()).hexdigest())


def pack_source(shop: Path, name: str, code: str = "") -> Path:
    """Pack source that runs some code as soon as pip asks it anything."""
    files = {
        "pyproject.toml": "[build-system]\nrequires = []\nbuild-backend = 'build'\n"
        "backend-path = ['.']\n",
        "build.py": code,
    }
    path = shop / f"{name}-1.0.tar.gz"
    with tarfile.open(path, "w:gz") as file:
        for inside, text in files.items():
            entry = tarfile.TarInfo(f"{name}-1.0/{inside}")
            entry.size = len(text)
            file.addfile(entry, BytesIO(text.encode()))
    return path


def locked_from_the_index(requirement: str) -> Lock:
    """Lock a package of the real index, or skip the test where that is out of reach."""
    try:
        return lock_of([requirement])
    except PlatformError as error:
        if "cannot be reached" in str(error):
            pytest.skip("the package index cannot be reached")
        raise
