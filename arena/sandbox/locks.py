"""Which wheels exactly does a bot get for what it requires?"""

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

from arena.errors import BadText
from arena.sandbox.cache import remember, remembered
from arena.sandbox.installed import canonical, sdk_packages
from arena.sandbox.places import fresh, no_room
from arena.sandbox.wheels import BadRequirements, install

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
    """One wheel, as nothing but its content."""

    name: str
    version: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Lock:
    """The wheels that a bot gets beyond what the SDK needs, in order of their names."""

    wheels: tuple[Wheel, ...]

    def __str__(self) -> str:
        """Write it as a requirements file for pip."""
        lines = [f"{name}=={version} --hash=sha256:{hash}" for name, version, hash in self.wheels]
        return "".join(f"{line}\n" for line in [_TITLE, *lines])

    @classmethod
    def read(cls, text: str) -> Lock:
        """Return the lock that was written as this text."""
        lock = cls(tuple(sorted(Wheel(*found) for found in _WHEEL.findall(text))))
        if str(lock) != text:
            raise BadText("this is not a lock as it was written: lock the requirements again")
        return lock


def lock_of(requirements: Sequence[str], *, fresh: bool = False) -> Lock:
    """Choose wheels for what a bot requires, such as "numpy>=2".

    The choice is remembered, and made anew only if it is asked for `fresh`.
    """
    for text in requirements:
        if not _REQUIREMENT.fullmatch(text):
            raise BadRequirements(
                f"{text!r} is not a requirement that a bot may have: name a package, and if need "
                "be its extras, versions and conditions, but no address, path or option"
            )
    if not requirements:
        return Lock(())
    ours = {package.name: package.version for package in sdk_packages()}
    question = [sys.version, extension_suffixes()[0], ours, sorted(requirements)]
    key = sha256(json.dumps(question).encode()).hexdigest()[:32]
    if not fresh:
        with suppress(BadText):
            return Lock.read(remembered(key))
    lock = _chosen(requirements, ours)
    remember(key, str(lock))
    return lock


def _chosen(requirements: Sequence[str], ours: Mapping[str, str]) -> Lock:
    with fresh() as folder:
        pins = "".join(f"{name}=={version}\n" for name, version in ours.items())
        arguments = ["--dry-run", "--ignore-installed", "--report", "report.json"]
        try:
            (folder / "pins.txt").write_text(pins, encoding="utf-8")
            install(*arguments, "--constraint", "pins.txt", "--", *requirements, folder=folder)
            report = json.loads((folder / "report.json").read_bytes())
        except OSError as error:
            raise no_room(folder.parent, error) from None
    wheels = [_wheel(found) for found in report["install"]]
    return Lock(tuple(sorted(wheel for wheel in wheels if wheel.name not in ours)))


def _wheel(found: Any) -> Wheel:
    """Read one entry of pip's report, which is JSON."""
    name = canonical(found["metadata"]["name"])
    if found["is_direct"]:
        raise BadRequirements(
            f"{name} is required by its address, and only packages of an index can be had"
        )
    try:
        digest = found["download_info"]["archive_info"]["hashes"]["sha256"]
    except KeyError:
        raise BadRequirements(f"pip does not tell the hash of {name}: use a newer pip") from None
    return Wheel(name, found["metadata"]["version"], digest)
