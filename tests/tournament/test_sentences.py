"""What is said about an event beside its standings."""

from __future__ import annotations

from pathlib import Path

from arena.tournament.sentences import event_notes
from arena.tournament.spec import Kind, Spec
from leaderboard.events import find_event
from tests.builders.leagues import FakeWorkers, enter, open_league, play_event

NAMES = ("ann", "ben", "cat", "dan", "eve")


def test_pairs_that_met_again_in_a_swiss_event_are_counted(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        for kind, seats in ((Kind.SWISS, 4), (Kind.SWISS, 2), (Kind.ROUND_ROBIN, 2)):
            name = f"{kind}-{seats}"
            rounds = 3 if kind is Kind.SWISS else 7
            enter(writer, Spec(kind, "meow", name, bots=NAMES, seats=seats, rounds=rounds))
            play_event(writer, name, FakeWorkers())
        notes = [event_notes(writer, find_event(writer, n)) for n in ("swiss-4", "swiss-2")]
        assert any("pairs met more than once: no better tables were found" in n for n in notes[0])
        assert not any("met more" in note for note in notes[1])
        late = event_notes(writer, find_event(writer, "round-robin-2"))
        assert not any("met more" in note for note in late)
