"""A ladder that is closed, at the end of a round or in the middle, is verified like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.games.randomness import seed_from
from arena.secret import Secret
from arena.serve.player import close_ladder
from arena.serve.snapshot import has_open_deals
from arena.tournament.spec import Kind, Spec
from arena.tournament.verification.league import check_league
from leaderboard.events import find_event
from tests.builders.leagues import NAMES, FakeWorkers, enter, open_league, play_event

LADDER = Spec(Kind.LADDER, "meow", name="ladder", bots=NAMES, seats=3, rounds=1_000_000)


@pytest.mark.parametrize("matches", [0, 3, 5, 6, 8], ids="{} matches".format)
def test_a_closed_ladder_is_verified(tmp_path: Path, matches: int) -> None:
    with open_league(tmp_path, NAMES) as writer:
        enter(writer, LADDER, secret=Secret(seed_from(1)))
        play_event(writer, "ladder", FakeWorkers(), stop_after=matches)
        ladder = find_event(writer, "ladder")
        ((stored,),) = writer.rows("SELECT count(*) FROM matches")
        assert has_open_deals(writer, ladder) is (stored % 3 != 0)
        close_ladder(writer, ladder)
        closed = find_event(writer, "ladder")
        assert (closed.status, closed.stopped) == ("finished", "it was closed by the organiser")
        assert closed.secret
        assert check_league(writer).wrong == []
        # Nothing else may be missing.
        writer.write("UPDATE events SET stopped = NULL")
        assert bool(check_league(writer).wrong)
