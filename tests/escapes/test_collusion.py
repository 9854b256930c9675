"""Two colluding bots in real matches cannot tell each other their hands."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.records import Entrant
from arena.referee.clock import DEFAULT_CLOCK
from arena.referee.players.remote import RemotePlayer
from arena.sandbox.cage import Cage, Uncaged
from arena.sandbox.process import Launch, Process
from arena.sandbox.select import NoCage, best_cage
from arena.submission.manifest import Manifest
from tests.builders.bots import ROGUES
from tests.builders.matches import make_fixtures, play_fixtures, random_player
from tests.escapes.shared_file import SharedFile

MATCHES = 10
UNUSED_MODULE = "_pydecimal.py"
"""What the colluder reads: a file of Python that programs do not need."""
Hands = list[list[int]]


def hands_sent_and_received(cage: Cage) -> tuple[Hands, Hands]:
    """Play Trio; return for each match the hand of seat 0 and what seat 1 received of it."""
    processes: list[Process] = []
    bots = [
        RemotePlayer(Entrant(name), _recording_launcher(cage, name, processes))
        for name in ("one", "two")
    ]
    players = [*bots, random_player("three"), random_player("four")]
    with SharedFile(Path(os.__file__).with_name(UNUSED_MODULE)).reserve():
        records = play_fixtures(
            players, make_fixtures(MATCHES, 4, "trio"), tables=1, clock=DEFAULT_CLOCK
        )
    assert not any(record.faults for record in records)
    sent, received = (
        [json.loads(line) for line in each.printed().splitlines()] for each in processes
    )
    assert len(sent) == len(received) == MATCHES
    return sent, received


def _recording_launcher(cage: Cage, name: str, processes: list[Process]) -> Launch:
    launch = cage.launcher(Manifest(name, ("trio",), ("python", "colluder.py"), ROGUES), {})

    def launch_and_record(socket: Path, on_exit: Callable[[], None]) -> Process:
        processes.append(launch(socket, on_exit))
        return processes[-1]

    return launch_and_record


def test_without_a_cage_one_seat_reads_the_hand_of_another_out_of_the_page_cache() -> None:
    sent, received = hands_sent_and_received(Uncaged())
    # A busy kernel keeps pages that it was asked to evict; by chance no hand would match.
    assert sum(map(list.__eq__, sent, received)) > 0


def test_in_a_cage_no_seat_learns_anything_of_the_hand_of_another() -> None:
    try:
        sent, received = hands_sent_and_received(best_cage())
    except NoCage as error:
        pytest.skip(str(error))
    assert all(sent)
    assert received == [[]] * MATCHES
