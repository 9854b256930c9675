"""Lockfiles: the exact wheels that are installed for a bot's requirements."""

from __future__ import annotations

import json
import re
import sys
from _imp import extension_suffixes
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from arena.disk_errors import disk_error
from arena.errors import BadText
from arena.sandbox.packages.cache import read_cached_text, write_cached_text
from arena.sandbox.packages.games import canonical, required_packages
from arena.sandbox.packages.wheels import BadRequirements, install
from arena.sandbox.tempdir import temp_dir

_TITLE = "# wheels for a bot, version 1"
_WHEEL = re.compile(r"^([a-z0-9-]+)==([A-Za-z0-9.+!_-]+) --hash=sha256:([0-9a-f]{64})$", re.M)
_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
_VERSION = r"(?:~=|===?|!=|<=?|>=?) *[A-Za-z0-9.*+!_-]+"
_REQUIREMENT = re.compile(
    rf"{_NAME} *"
    rf"(?:\[ *{_NAME} *(?:, *{_NAME} *)*\] *)?"
    rf"(?:{_VERSION} *(?:, *{_VERSION} *)*)?"
    r"(?:;[ A-Za-z0-9_.,*+~=!<>()'\"-]+)?"
)


class Wheel(NamedTuple):
    """A wheel, identified by its content."""

    name: str
    version: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Lockfile:
    """The wheels that a bot gets in addition to what every environment has, sorted by name."""

    wheels: tuple[Wheel, ...]

    def __str__(self) -> str:
        """Write it as a requirements file for pip."""
        lines = [f"{name}=={version} --hash=sha256:{hash}" for name, version, hash in self.wheels]
        return "".join(f"{line}\n" for line in [_TITLE, *lines])

    @classmethod
    def read(cls, text: str) -> Lockfile:
        """Parse a lockfile; refuse any text that `str` would not have written."""
        lock = cls(tuple(sorted(Wheel(*found) for found in _WHEEL.findall(text))))
        if str(lock) != text:
            raise BadText("not a valid lockfile: lock the requirements again")
        return lock


def lockfile_for(requirements: Sequence[str]) -> Lockfile:
    """Choose wheels for a bot's requirements, such as "numpy>=2"; the choice is cached."""
    for text in requirements:
        if not _REQUIREMENT.fullmatch(text):
            raise BadRequirements(
                f"{text!r} is not an allowed requirement: name a package, optionally with extras, "
                "versions and conditions, but without URLs, paths or options"
            )
    if not requirements:
        return Lockfile(())
    given = {canonical(package.name): package.version for package in required_packages()}
    inputs = [sys.version, extension_suffixes()[0], given, sorted(requirements)]
    key = sha256(json.dumps(inputs).encode()).hexdigest()[:32]
    with suppress(BadText):
        return Lockfile.read(read_cached_text(key))
    lock = _resolve(requirements, given)
    write_cached_text(key, str(lock))
    return lock


def _resolve(requirements: Sequence[str], given: Mapping[str, str]) -> Lockfile:
    with temp_dir() as folder:
        pins = "".join(f"{name}=={version}\n" for name, version in given.items())
        arguments = ["--dry-run", "--ignore-installed", "--report", "report.json"]
        try:
            (folder / "pins.txt").write_text(pins, encoding="utf-8")
            install(*arguments, "--constraint", "pins.txt", "--", *requirements, folder=folder)
            report = json.loads((folder / "report.json").read_bytes())
        except OSError as error:
            raise disk_error(folder.parent, error) from None
    wheels = [_parse_wheel(found) for found in report["install"]]
    return Lockfile(tuple(sorted(wheel for wheel in wheels if wheel.name not in given)))


def _parse_wheel(found: Any) -> Wheel:
    """Parse one entry of pip's JSON report."""
    name = canonical(found["metadata"]["name"])
    if found["is_direct"]:
        raise BadRequirements(f"{name} is required by URL: only packages from an index are allowed")
    try:
        digest = found["download_info"]["archive_info"]["hashes"]["sha256"]
    except KeyError:
        raise BadRequirements(f"pip does not report the hash of {name}: upgrade pip") from None
    return Wheel(name, found["metadata"]["version"], digest)
