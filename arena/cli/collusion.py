"""The command `arena collusion`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click

from arena.cli.options.completion import complete_game, complete_variant
from arena.cli.options.league import db_option, reading
from arena.cli.terminal.columns import Row, headings_of, with_version
from arena.cli.terminal.output import print_json, say
from arena.cli.terminal.tables import show_rows
from arena.errors import BadInput
from arena.games.registry import game_named, parameters_from
from arena.text import plain, quantity
from leaderboard.collusion.league import LeagueCollusion, collusion_in_event, collusion_in_variant
from leaderboard.collusion.residuals import Pattern
from leaderboard.collusion.search import LEAST_DEALS, SuspectPair
from leaderboard.events import find_event
from leaderboard.queries.leaderboards import variants
from leaderboard.store import Reader

_HEADINGS = headings_of(
    *("bot", "pattern", "other", "effect", "95 % interval", "chance", "deals", "matches", "authors")
) | {"pattern": "", "other": "bot"}
_VERBS = {Pattern.TRANSFER: "plays for", Pattern.MUTUAL_GAIN: "gains with"}


class _Searched(NamedTuple):
    """Some matches of a game, and what was found in them."""

    variant: str
    event: str | None
    found: LeagueCollusion


@click.command()
@click.argument("game_id", metavar="GAME", shell_complete=complete_game)
@click.option(
    "--variant",
    multiple=True,
    metavar="WORD",
    shell_complete=complete_variant,
    help="Only this variant: its name, or parameters as name=value; repeatable.",
)
@click.option("--event", "event_name", metavar="NAME", help="Only the matches of one event.")
@db_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def collusion(
    game_id: str, variant: tuple[str, ...], event_name: str | None, db: Path, as_json: bool
) -> None:
    """Find pairs of bots whose results together no rating explains.

    A bot may play for another, or two may gain together at the cost of the rest. A pair that is
    named here deserves a look at its matches: it is a suspicion, not a proof.

    Example: arena collusion meow
    """
    game_named(game_id)
    if variant and event_name:
        raise BadInput("use either --variant or --event: an event has one variant")
    with reading(db) as store, store.snapshot():
        searched = list(_search(store, game_id, variant, event_name))
    if as_json:
        print_json([_document(game_id, each) for each in searched])
        return
    if not searched:
        say(plain(f"no matches of {game_id} yet: try `arena event run`"))
    for number, each in enumerate(searched):
        if number:
            say()
        _print(game_id, each)


def _search(
    reader: Reader, game_id: str, words: tuple[str, ...], event_name: str | None
) -> Iterator[_Searched]:
    if event_name is not None:
        event = find_event(reader, event_name)
        if event.game != game_id:
            raise BadInput(f"{event_name} is an event of {event.game}, not of {game_id}")
        yield _Searched(event.variant, event.name, collusion_in_event(reader, event))
        return
    game = game_named(game_id)
    wanted = game.parameters_form.show(parameters_from(game, words)) if words else None
    for each in variants(reader):
        if each.game == game_id and wanted in (None, each.parameters):
            found = collusion_in_variant(reader, each.id)
            if found.matches:
                yield _Searched(each.name, None, found)


def _document(game_id: str, searched: _Searched) -> dict[str, Any]:
    found = searched.found
    return {
        "game": game_id,
        "variant": searched.variant,
        "event": searched.event,
        "matches": found.matches,
        "pairs": found.search.pairs,
        "untested": found.search.untested,
        "detectable": found.search.detectable,
        "suspects": [_suspect_document(found, suspect) for suspect in found.search.suspects],
    }


def _suspect_document(found: LeagueCollusion, suspect: SuspectPair) -> dict[str, Any]:
    one, other = found.members(suspect)
    return {
        "pattern": suspect.pattern.value,
        "bot": one.bot,
        "version": one.number,
        "author": one.author or None,
        "other": other.bot,
        "other_version": other.number,
        "other_author": other.author or None,
        "effect": suspect.effect,
        "low": suspect.low,
        "high": suspect.high,
        "chance": suspect.chance,
        "deals": suspect.deals,
        "matches": suspect.matches,
    }


def _print(game_id: str, searched: _Searched) -> None:
    found = searched.found
    search = found.search
    where = f", event {searched.event}" if searched.event else ""
    counts = f"{quantity(found.matches, 'match', 'matches')}, {quantity(search.pairs, 'pair')}"
    title = f"{game_id}, {searched.variant}{where}: {counts} tested"
    say(click.style(plain(title), bold=True))
    if search.suspects:
        rows = [_row(_suspect_document(found, suspect)) for suspect in search.suspects]
        has_authors = any(row["authors"] for row in rows)
        show_rows(
            rows, {key: _HEADINGS[key] for key in _HEADINGS if has_authors or key != "authors"}
        )
        say(
            "effect: points per match that one loses and the other gains, or that both gain; "
            "p: the probability of such results by chance, corrected for the number of pairs"
        )
    elif search.pairs:
        say("no pair stands out")
    if search.detectable is not None:
        say(
            f"an effect of {search.detectable:.2f} points per match is found in 95 % of leagues "
            "like this; four times the matches would find half of it"
        )
    if search.untested:
        say(_about_untested(found))


def _row(suspect: Row) -> Row:
    authors = filter(None, (suspect["author"], suspect["other_author"]))
    return {
        **with_version(with_version(suspect), "other", "other_version"),
        "pattern": _VERBS[Pattern(suspect["pattern"])],
        "95 % interval": f"{suspect['low']:.3f} to {suspect['high']:.3f}",
        "authors": ", ".join(dict.fromkeys(authors)),
    }


def _about_untested(found: LeagueCollusion) -> str:
    """Say how much is missing for the pairs that were not tested."""
    what = (
        f"too few deals for {found.search.untested} pairs: a pair needs {LEAST_DEALS} deals "
        f"together, and each of the two {LEAST_DEALS} without the other"
    )
    if found.versions <= found.seats:
        return f"{what}; enter more bots than a table has seats"
    tables = found.versions * (found.versions - 1) / (found.seats * (found.seats - 1))
    needed = round(LEAST_DEALS * tables * found.seats)
    return f"{what}; that takes about {needed:,} matches"
