"""Does one seat learn another's hand, in real matches between two bots that collude?"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.manifest import Manifest
from arena.records import Entrant
from arena.referee.clock import DEFAULT_CLOCK
from arena.referee.players.remote import RemotePlayer
from arena.sandbox.cage import Cage, NoneCage
from arena.sandbox.cages import NoCage, best_cage
from arena.sandbox.environments import plain_environment
from arena.sandbox.process import Launch, Process
from tests.escapes.shared_file import SharedFile
from tests.referee.matches import ROGUES, anybody, fixtures, played

MATCHES = 10
Hands = list[list[int]]


def hands_told_and_heard(cage: Cage) -> tuple[Hands, Hands]:
    """Play Trio; return for each match what seat 0 holds and what seat 1 has heard of it."""
    processes: list[Process] = []
    bots = [RemotePlayer(Entrant(name), _noting(cage, name, processes)) for name in ("one", "two")]
    players = [*bots, anybody("three"), anybody("four")]
    with SharedFile(plain_environment()).reserved():
        records = played(players, fixtures(MATCHES, 4, "trio"), tables=1, clock=DEFAULT_CLOCK)
    assert not any(record.faults for record in records)
    told, heard = ([json.loads(line) for line in each.printed().splitlines()] for each in processes)
    assert len(told) == len(heard) == MATCHES
    return told, heard


def _noting(cage: Cage, name: str, processes: list[Process]) -> Launch:
    launch = cage.launcher(Manifest(name, ("trio",), ("python", "colluder.py"), ROGUES), {})

    def launch_and_note(socket: Path, on_exit: Callable[[], None]) -> Process:
        processes.append(launch(socket, on_exit))
        return processes[-1]

    return launch_and_note


def test_without_a_cage_one_seat_reads_the_hand_of_another_out_of_the_page_cache() -> None:
    told, heard = hands_told_and_heard(NoneCage())
    # Now and then the kernel keeps a page that it was asked to forget; by chance none would fit.
    assert sum(map(list.__eq__, told, heard)) > MATCHES / 2


def test_in_a_cage_no_seat_hears_anything_of_the_hand_of_another() -> None:
    try:
        told, heard = hands_told_and_heard(best_cage())
    except NoCage as error:
        pytest.skip(str(error))
    assert all(told)
    assert heard == [[]] * MATCHES
