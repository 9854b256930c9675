"""Does a bot that cheats do any better for it, in events and comparisons that are played for real?

Those that `tell` confess with an illegal action whenever they have recognised a deal, and those
that cheat do anything else than their honest twins only then. That they would recognise a deal if
their process met it twice is for tests/rogues/test_cheats.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.cages import cage
from tests.events.processes import Hall, contents, differences, enter, new_hall
from tests.rogues.cheats.cheat import CHEAT, HONEST, TELL
from tests.rogues.cheats.folders import GAMES, cheat_folder

REMEMBERERS = ("rememberer", "watcher", "recogniser")
GREEDY = ("recogniser", HONEST)
SEATS = 4

Bots = Mapping[str, tuple[str, str]]
"""By name, which cheat it is and in which way it plays."""

games = pytest.mark.parametrize("game", GAMES)
deals = pytest.mark.parametrize("deals", [1, pytest.param(20, marks=pytest.mark.slow)])
tables = pytest.mark.parametrize("tables", [1, 64])


@pytest.fixture
def hall() -> Iterator[Hall]:
    """Give a hall without a league."""
    with new_hall() as hall:
        yield hall


def run(hall: Hall, *words: str) -> str:
    """Run a command that must succeed, and return what it printed."""
    done = hall.run(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def hold(hall: Hall, game: str, bots: Bots, *options: str) -> dict[str, Any]:
    """Hold an event of these bots in a new league, and return what is said of it."""
    hall.db.unlink(missing_ok=True)
    enter(hall, bots)
    words = ("--game", game, "--bots", ",".join(bots), "--name", "cup", "--cage", cage().name)
    # One worker: to start bots takes longer than to let them play so few matches.
    run(hall, "event", "run", "round-robin", *words, "--jobs", "1", "--quiet", *options)
    document: dict[str, Any] = json.loads(run(hall, "event", "show", "cup", "--json"))
    return document


@games
@deals
@tables
def test_a_cheat_recognises_no_deal_of_an_event(
    hall: Hall, game: str, deals: int, tables: int
) -> None:
    bots = {cheat: (cheat, TELL) for cheat in (*REMEMBERERS, "guesser")}
    shown = hold(hall, game, bots, "--deals", str(deals), "--tables", str(tables))
    assert shown["faults"] == []
    assert {line["matches"] for line in shown["standings"]} == {3 * SEATS * deals}


@games
@deals
def test_an_event_of_cheats_comes_out_as_one_of_their_honest_twins(
    hall: Hall, game: str, deals: int
) -> None:
    found = []
    for way, tables in ((CHEAT, "1"), (HONEST, "64")):
        bots = {cheat: (cheat, way) for cheat in (*REMEMBERERS, "partner")}
        hold(hall, game, bots, "--deals", str(deals), "--tables", tables, "--seed", "5")
        league = contents(hall.db)
        # The bots themselves are not the same.
        found.append({name: league[name] for name in ("matches", "seats", "replays", "ratings")})
    assert differences(*found) == []


@games
def test_whoever_types_a_seed_lets_everybody_compute_the_deals(hall: Hall, game: str) -> None:
    bots = {"guesser": ("guesser", TELL), **dict.fromkeys(("ann", "ben", "cat"), GREEDY)}
    shown = hold(hall, game, bots, "--deals", "1", "--seed", "3")
    assert {line["bot"] for line in shown["faults"]} == {"guesser"}


@games
@deals
def test_a_partner_gains_nothing_by_matches_that_a_crasher_breaks_off(
    hall: Hall, game: str, deals: int
) -> None:
    friends = {"partner": ("partner", TELL), "crasher": ("crasher", TELL)}
    bots = {**friends, **dict.fromkeys(("ann", "ben"), GREEDY)}
    shown = hold(hall, game, bots, "--deals", str(3 * deals))
    assert "partner" not in {line["bot"] for line in shown["faults"]}
    assert list(shown["suspended"]) == ["crasher@1"]


@games
@deals
def test_a_cheat_is_no_improvement_of_its_twin(hall: Hall, game: str, deals: int) -> None:
    found = compared(hall, game, 4 * deals, "cheat", "twin")
    assert (found["difference"], found["variance"], found["faults"]) == (0, 0, [])


@games
@deals
def test_opponents_that_remember_favour_nobody_in_a_comparison(
    hall: Hall, game: str, deals: int
) -> None:
    found = compared(hall, game, 2 * deals, "twin", "double", "--opponents", "opponent")
    assert (found["difference"], found["variance"], found["faults"]) == (0, 0, [])


def compared(hall: Hall, game: str, deals: int, *words: str) -> dict[str, Any]:
    """Compare two bots, at one table and to the last deal."""
    cheat_folder(hall.folder, "cheat", "rememberer", CHEAT)
    cheat_folder(hall.folder, "opponent", "opponent", CHEAT)
    for name in ("twin", "double"):
        cheat_folder(hall.folder, name, "rememberer", HONEST)
    options = ("--game", game, "--seats", str(SEATS), "--deals", str(deals), "--tables", "1")
    patient = ("--jobs", "1", "--error", "1e-100", "--margin", "1e-100", "--quiet", "--json")
    said = run(hall, "compare", *words, *options, *patient, "--cage", cage().name)
    document: dict[str, Any] = json.loads(said)
    return document
