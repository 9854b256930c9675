"""Hostile folders, packages and lockfiles of bots."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

from arena.errors import ArenaError
from arena.sandbox.packages.lockfile import Lockfile
from arena.submission.manifest import read_manifest
from arena.submission.package import pack_folder, unpack
from tests.builders.bots import HONEST, bot_folder
from tests.faults.event import Trial

_ROUNDS = 200


def _long_link(folder: Path, rng: Random) -> None:
    (folder / "link").symlink_to("../" * rng.randint(1, 9) + "etc/passwd")


def _loop(folder: Path, rng: Random) -> None:
    (folder / "loop").symlink_to("loop")


def _pipe(folder: Path, rng: Random) -> None:
    os.mkfifo(folder / "pipe")


def _deep(folder: Path, rng: Random) -> None:
    inner = folder.joinpath(*["d"] * 200)
    inner.mkdir(parents=True)
    (inner / "file").touch()


def _odd_name(folder: Path, rng: Random) -> None:
    name = bytes(rng.choice([*range(1, 47), *range(48, 256)]) for _ in range(rng.randint(1, 200)))
    Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_bytes(b"x")


def _odd_manifest(folder: Path, rng: Random) -> None:
    manifest = bytearray((folder / "bot.toml").read_bytes())
    manifest[rng.randrange(len(manifest))] = rng.randrange(256)
    (folder / "bot.toml").write_bytes(manifest)


_HOSTILE = (_long_link, _loop, _pipe, _deep, _odd_name, _odd_manifest)


def _is_refused(call: Callable[..., object], *arguments: object) -> bool:
    """Return whether a call fails with a sentence; any other error ends the trial."""
    try:
        call(*arguments)
    except ArenaError:
        return True
    return False


def hostile_files_are_refused(trial: Trial) -> str:
    """Submit hostile folders, and unpack and read damaged packages and lockfiles."""
    rng, refused = trial.rng, 0
    with tempfile.TemporaryDirectory() as name:
        parent = Path(name)
        good = pack_folder(bot_folder(parent, "good", HONEST))
        for number in range(_ROUNDS):
            folder = bot_folder(parent, f"bot-{number}", HONEST)
            rng.choice(_HOSTILE)(folder, rng)
            refused += _is_refused(lambda folder: pack_folder(read_manifest(folder).folder), folder)
            package = bytearray(good.blob)
            for _ in range(rng.randint(1, 4)):
                package[rng.randrange(len(package))] = rng.randrange(256)
            target = parent / f"unpacked-{number}"
            refused += _is_refused(partial(unpack, expected=good.hash), bytes(package), target)
            noise = "".join(map(chr, rng.choices(range(256), k=40)))
            refused += _is_refused(Lockfile.read, f"# wheels for a bot, version 1\n{noise}")
    assert refused > _ROUNDS
    trial.finish()
    return f"{refused} of {3 * _ROUNDS} refused with a sentence, no other error"


TRIALS = (hostile_files_are_refused,)
