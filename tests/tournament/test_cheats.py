"""Cheats gain nothing in real events and comparisons.

A cheat in the mode `confess` confesses with an illegal action whenever it has recognised a deal:
only then does it differ from its honest twin. tests/rogues/test_cheats.py shows that it would
recognise a deal if its process saw it twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from arena.tournament.spec import Kind, Spec
from tests.cages import cage, cage_name
from tests.rogues.cheats.channels import CHANNELS
from tests.rogues.cheats.cheat import CHEAT, CONFESS, HONEST
from tests.rogues.cheats.folders import GAMES, cheat_folder
from tests.tournament.processes import (
    Workspace,
    differences,
    enter_sealed,
    new_workspace,
    resume,
    rows_without_times,
    submit_bots,
)

TELLERS = [*(f"teller {channel}" for channel in CHANNELS), "teller names relay"]
GREEDY = ("cheat", HONEST)
SEATS = 4

Bots = Mapping[str, tuple[str, str]]
"""For each name: the cheat, and the mode in which it plays."""

games = pytest.mark.parametrize(
    "game", ["meow", *(pytest.param(g, marks=pytest.mark.slow) for g in GAMES if g != "meow")]
)
deals = pytest.mark.parametrize("deals", [1, pytest.param(20, marks=pytest.mark.slow)])


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    """Return a workspace without a league."""
    with new_workspace() as workspace:
        yield workspace


def run(workspace: Workspace, *words: str) -> str:
    """Run a command that must succeed, and return its stdout; a comparison may find nothing."""
    done = workspace.run(*words)
    assert done.returncode == (3 if words[0] == "compare" else 0), done.stderr
    return done.stdout


def run_event(workspace: Workspace, game: str, bots: Bots, *options: str) -> dict[str, Any]:
    """Run an event of these bots in a new league; return its JSON document."""
    workspace.db.unlink(missing_ok=True)
    submit_bots(workspace, bots)
    words = ("--game", game, "--bots", ",".join(bots), "--name", "cup", "--cage", cage_name())
    # One worker: starting bots takes longer than playing so few matches.
    run(workspace, "event", "run", "round-robin", *words, "--jobs", "1", "--quiet", *options)
    document: dict[str, Any] = json.loads(run(workspace, "event", "show", "cup", "--json"))
    return document


@games
@deals
def test_cheats_get_the_same_results_as_their_honest_twins(
    workspace: Workspace, game: str, deals: int
) -> None:
    leagues = []
    for mode, tables in ((CONFESS, "1"), (HONEST, "64")):
        bots = {"one": ("cheat", mode), "two": ("cheat", mode), "guesser": ("guesser", mode)}
        bots["ann"] = GREEDY
        leagues.append(play_sealed(workspace, game, bots, deals=deals, tables=tables))
    assert differences(*leagues) == []


@pytest.mark.parametrize(
    ("cheat", "game"),
    [
        pytest.param(
            cheat, game, marks=[pytest.mark.slow] * ((cheat, game) != ("teller names", "meow"))
        )
        for cheat in TELLERS
        for game in GAMES
    ],
)
def test_bots_that_tell_their_hands_get_the_same_results_as_their_honest_twins(
    workspace: Workspace, cheat: str, game: str
) -> None:
    if not cage().seals:
        pytest.skip("not shown here: no cage on this machine seals bots")
    leagues = []
    for mode in (CONFESS, HONEST):
        # Two of them, so that they might also tell each other something at one table.
        bots = {"one": (cheat, mode), "two": (cheat, mode), "ann": GREEDY}
        leagues.append(play_sealed(workspace, game, bots, deals=2, tables="64"))
    assert differences(*leagues) == []


@pytest.mark.slow
@games
def test_bots_that_hear_all_who_are_there_get_the_same_results_as_their_honest_twins(
    workspace: Workspace, game: str
) -> None:
    leagues = []
    for mode in (CONFESS, HONEST):
        # Without a cage, they can: what keeps a deal from them is that nobody is there. Each table
        # has only one that tells its hand, and one that passes on what it hears.
        relay = ("teller neighbours relay", HONEST)
        bots = {"one": ("teller neighbours", mode), "two": relay, "ann": GREEDY}
        leagues.append(play_sealed(workspace, game, bots, deals=2, tables="64", cage="none"))
    assert differences(*leagues) == []


def play_sealed(
    workspace: Workspace, game: str, bots: Bots, *, deals: int, tables: str, cage: str = ""
) -> dict[str, list[tuple[Any, ...]]]:
    """Play an event of these bots with the same secret deals each time; return its results."""
    workspace.db.unlink(missing_ok=True)
    submit_bots(workspace, bots)
    names = tuple(bots)
    spec = Spec(Kind.ROUND_ROBIN, game, "cup", bots=names, deals=deals, cage=cage or cage_name())
    enter_sealed(workspace.db, spec)
    options = ("--jobs", "1", "--quiet", "--tables", tables, *(["--cage", cage] if cage else []))
    run(workspace, *resume(*options))
    league = rows_without_times(workspace.db)
    # The bots' own rows differ, and their hashes in the replays.
    league["replays"] = [
        (match, replace(record, entrants=[e._replace(hash=b"") for e in record.entrants]))
        for match, record in league["replays"]
    ]
    return {name: league[name] for name in ("matches", "seats", "replays", "ratings")}


@pytest.mark.slow
@games
def test_deals_from_a_seed_can_be_computed_by_anyone(workspace: Workspace, game: str) -> None:
    bots = {"guesser": ("guesser", CONFESS), **dict.fromkeys(("ann", "ben", "cat"), GREEDY)}
    shown = run_event(workspace, game, bots, "--deals", "1", "--seed", "3")
    assert {line["bot"] for line in shown["faults"]} == {"guesser"}


@pytest.mark.slow
@games
@pytest.mark.parametrize(
    ("partner", "crasher", "deals"),
    [
        ("cheat", "crasher", 3),
        ("cheat", "crasher", 60),
        ("teller names", "teller names crash", 60),
    ],
)
def test_a_partner_gains_nothing_from_matches_that_a_crasher_voids(
    workspace: Workspace, game: str, partner: str, crasher: str, deals: int
) -> None:
    friends = {"partner": (partner, CONFESS), "crasher": (crasher, CONFESS)}
    bots = {**friends, **dict.fromkeys(("ann", "ben"), GREEDY)}
    shown = run_event(workspace, game, bots, "--deals", str(deals), "--jobs", "2")
    assert "partner" not in {line["bot"] for line in shown["faults"]}
    assert list(shown["suspended"]) == ["crasher@1"]


@games
@deals
def test_a_cheat_is_no_better_than_its_honest_twin(
    workspace: Workspace, game: str, deals: int
) -> None:
    found = compare(workspace, game, 4 * deals, "cheat", "twin")
    assert (found["difference"], found["variance"], found["faults"]) == (0, 0, [])


@games
@deals
def test_opponents_that_remember_favour_neither_version_in_a_comparison(
    workspace: Workspace, game: str, deals: int
) -> None:
    found = compare(workspace, game, 2 * deals, "twin", "double", "--opponents", "opponent")
    assert (found["difference"], found["variance"], found["faults"]) == (0, 0, [])


def compare(workspace: Workspace, game: str, deals: int, *words: str) -> dict[str, Any]:
    """Compare two bots, at one table and for all deals; return the JSON document."""
    cheat_folder(workspace.folder, "cheat", "cheat", CHEAT)
    cheat_folder(workspace.folder, "opponent", "opponent", CHEAT)
    for name in ("twin", "double"):
        cheat_folder(workspace.folder, name, "cheat", HONEST)
    options = ("--game", game, "--seats", str(SEATS), "--deals", str(deals), "--tables", "1")
    to_the_end = ("--jobs", "1", "--error", "1e-100", "--margin", "1e-100", "--quiet", "--json")
    stdout = run(workspace, "compare", *words, *options, *to_the_end, "--cage", cage_name())
    document: dict[str, Any] = json.loads(stdout)
    return document
