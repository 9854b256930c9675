"""A small league of made-up results: its bots never run, and its matches were never played."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from arena.games.outcome import Ending, places_by
from arena.games.randomness import derive, seed_from
from arena.games.registry import game_named
from arena.indices import VersionId
from arena.records import SeatEnding
from arena.scheduling.pairing import Pairing
from arena.secret import commitment_to
from arena.submission.package import Package
from leaderboard.bots import submit
from leaderboard.events import Event, add_rounds, field_of, start_event
from leaderboard.result import MatchResult, SeatResult
from leaderboard.store import Store, Writer
from tests.builders.planned import matches_of
from tests.indices import entrants_in, versions

NOW = datetime(2026, 5, 17, 12, 30, tzinfo=UTC)
FIELD = versions(1, 2, 3, 4)
BOTS = ("ant", "bee", "cat", "dog", "eel")


def new_league(path: Path) -> Store:
    """Start a league with one version of each bot; their ids are 1, 2, 3 and so on."""
    path.write_bytes(_league_with_bots())
    return Store.open(path)


@cache
def _league_with_bots() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "arena.db"
        with Store.open(path, create=True) as store, store.writing() as writer:
            for name in BOTS:
                submit_bot(writer, name)
        return path.read_bytes()


def submit_bot(writer: Writer, name: str, content: str = "") -> int:
    """Submit a bot; return the id of its version."""
    packed = Package(f"hash of {name}{content}", b"package", 1, 7)
    submission = submit(
        writer, name=name, games=("meow",), manifest="", lock="", packed=packed, now=NOW
    )
    return submission.version.id


def make_plan(name: str = "spring", *, game: str = "meow", variant: str = "standard") -> Event:
    """Plan an event of four seats."""
    rules = game_named(game)
    # Its own secret, or its matches would repeat those of the first event.
    secret = derive(seed_from(7), "event" if name == "spring" else name)
    return Event(
        name=name,
        kind="round-robin",
        game=game,
        parameters=rules.parameters_form.show(rules.variants[variant]),
        seats=4,
        deals=1,
        rounds=1,
        clock="60+0.5",
        seed=7 if name == "spring" else None,
        commitment=commitment_to(secret).hex(),
        secret=secret.hex(),
        open_deals=True,
        cage="none",
        spec="",
    )


def new_event(
    writer: Writer, plan: Event, field: Sequence[VersionId] = FIELD, *, pairings: int = 3
) -> Event:
    """Start an event of one round with several pairings of the whole field."""
    event = start_event(writer, plan, field, now=NOW)
    seating = entrants_in(range(len(field)))
    meetings = [Pairing(1, number, seating) for number in range(pairings)]
    add_rounds(writer, event.id, 1, [(meetings, ())], now=NOW)
    return event


def make_results(
    writer: Writer, event: Event, *, pairings: int = 3, seed: int = 1
) -> list[MatchResult]:
    """Make up results for the matches of `new_event`, in the order of the schedule."""
    versions = [entrant.version for entrant in field_of(writer, event.id)]
    game = game_named(event.game)
    sides = game.sides(len(versions), game.parameters_form.read(event.parameters))
    rng = Random(seed)
    results: list[MatchResult] = []
    for number in range(pairings):
        pairing = Pairing(1, number, entrants_in(range(len(versions))))
        for match in matches_of(pairing, deals=1, sides=sides, first=len(results)):
            seated = [versions[entrant] for entrant in match.seating]
            results.append(_result(match.number, match.pairing, match.rotation, seated, sides, rng))
    return results


def _result(
    number: int,
    pairing: int,
    rotation: int,
    versions: list[VersionId],
    sides: tuple[int, ...],
    rng: Random,
) -> MatchResult:
    of_side = [rng.randrange(5) for _ in sides]
    scores = [of_side[side] for side in sides]
    places = places_by(scores)
    seats = []
    for version, place, score in zip(versions, places, scores, strict=True):
        fault = place == max(places) and rng.random() < 0.2
        ending = SeatEnding.CRASHED if fault else SeatEnding.PLAYED
        fault_text = ("it crashed", "last words") if fault else ("", "")
        points = (len(sides) - place) / (len(sides) - 1)
        seats.append(SeatResult(version, place, score, points, ending.code, *fault_text))
    return MatchResult(
        number=number,
        pairing=pairing,
        deal=0,
        rotation=rotation,
        seed=derive(seed_from(7), f"match {pairing}"),
        ending=Ending.PLAYED_OUT.code,
        seats=tuple(seats),
        decisions=rng.randrange(100),
        time_ms=rng.randrange(1000),
        cage="none",
        replay=b"replay %d" % number,
        rated=rng.random() < 0.9,
    )


def stored_numbers(store: Store, event: int) -> set[int]:
    """Return the numbers of an event's matches that are stored."""
    return {
        number for (number,) in store.rows("SELECT number FROM matches WHERE event = ?", [event])
    }


def contents(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """Return the contents of a league, in an order and with ids that do not depend on its past."""
    queries = {
        "ratings": "SELECT * FROM ratings ORDER BY variant, version",
        "meetings": "SELECT * FROM meetings",
        "history": """
            SELECT history.variant, version, history.number, event, matches.number, mu, sigma
            FROM rating_history AS history JOIN matches ON matches.id = history.match
        """,
        "matches": """
            SELECT event, number, pairing, deal, rotation, seed, matches.ending, decisions, time_ms,
                cage, rated, rating_order, seats.seat, version, place, score, points, seats.ending,
                sentence, printed, content
            FROM matches JOIN seats ON seats.match = matches.id
            LEFT JOIN faults ON faults.match = matches.id AND faults.seat = seats.seat
            LEFT JOIN replays ON replays.match = matches.id
            ORDER BY event, number, seats.seat
        """,
        "events": "SELECT id, name, rated_up_to FROM events",
    }
    return {name: list(store.rows(sql)) for name, sql in queries.items()}
