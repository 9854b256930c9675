"""A league whose server is killed again and again is the league that nothing has disturbed."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from arena.replays.format import read_replay
from arena.tournament.playing import run_event
from arena.tournament.verification.league import check_league
from leaderboard.events import all_events, find_event
from leaderboard.store import Reader, Store
from tests.builders.matches import without_times
from tests.load.disturbances import Disturbances
from tests.serve.processes import ServedLeague, wait_for

TWO_LADDERS = ('# [[ladder]]\n# game = "trio"', '[[ladder]]\ngame = "trio"')
SHORT_TURNS = ("turn_s = 120", "turn_s = 5")


def compare(folder: Path, kills: int, rng: Random) -> str:
    """Kill the server of a league, play the same ladders without that, and compare them."""
    folder.mkdir()
    league = ServedLeague(folder, TWO_LADDERS, SHORT_TURNS)
    league.start()
    wait_for(lambda: len(_counts(league.db)) == 2)
    league.stop()
    copy = folder / "copy.db"
    shutil.copy(league.db, copy)
    league.start()
    disturbances = Disturbances(league, rng, may_fill=False)
    for _ in range(kills):
        _wait_for_matches(league, rng.randint(1, 8))
        asyncio.run(disturbances.kill_server())
    league.stop()
    disturbed = _counts(league.db)
    with Store.open(copy) as store, store.writing() as writer:
        for name, matches in disturbed.items():
            event = find_event(writer, name)
            run_event(writer, event, should_stop=_reached(writer, event.id, matches))
    said = []
    with Store.open(league.db) as one, Store.open(copy) as other:
        assert check_league(one).wrong == []
        for name, matches in disturbed.items():
            assert _matches(one, name, matches) == _matches(other, name, matches), name
            said.append(f"{matches:,} matches of {name}")
    return f"{kills} kills of the server: {' and '.join(said)} as without them"


def _wait_for_matches(league: ServedLeague, more: int) -> None:
    wanted = league.matches() + more
    wait_for(lambda: league.matches() >= wanted)


def _counts(db: Path) -> dict[str, int]:
    """Return the number of matches of each event."""
    with Store.open(db) as store:
        found = {}
        for event in all_events(store):
            ((count,),) = store.rows("SELECT count(*) FROM matches WHERE event = ?", [event.id])
            found[event.name] = count
        return found


def _reached(reader: Reader, event: int, matches: int) -> Callable[[], bool]:
    def is_reached() -> bool:
        ((count,),) = reader.rows("SELECT count(*) FROM matches WHERE event = ?", [event])
        return bool(count >= matches)

    return is_reached


def _matches(reader: Reader, name: str, first: int) -> list[tuple[Any, ...]]:
    """Return the first matches of an event with every decision, but without times."""
    rows = reader.rows(
        """
        SELECT matches.number, pairing, deal, rotation, seed, ending, decisions, content
        FROM matches JOIN replays ON replays.match = matches.id
        WHERE event = ? AND number < ? ORDER BY number
        """,
        [find_event(reader, name).id, first],
    )
    return [(*row[:-1], without_times(read_replay(row[-1]))) for row in rows]
