"""The first page: who leads in each game, what runs now, and what is worth watching."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any, NamedTuple

from markupsafe import Markup

from arena.games.picture import Art
from arena.games.registry import game_named
from arena.pages.pictures import Row
from arena.pages.sharing import Share
from arena.pages.site.charts import PlacedInterval, interval_on
from arena.pages.site.data import LeagueData
from arena.pages.site.highlights import worth_watching
from arena.pages.site.variant_pages import VariantDetails, ends_of
from arena.pages.template import art_of, drawing_of
from arena.text import quantity
from leaderboard.bots import Version
from leaderboard.queries.leaderboards import LeaderboardRow

_ON_CARD = 5
"""Number of bots on the card of a game."""
_NEWEST = 6


class GameCard(NamedTuple):
    """A variant on the first page."""

    details: VariantDetails
    best: list[tuple[LeaderboardRow, PlacedInterval | None]]
    emblem: Markup
    """A drawing of some of its pieces."""


def front_context(
    league: LeagueData,
    details: Mapping[int, Callable[[], VariantDetails]],
    replays: Collection[int],
    title: str,
) -> dict[str, Any]:
    """Return what the first page shows; `replays` are the matches that have pages."""
    made = [details[number]() for number in league.variants]
    cards = [_card(each) for each in made if each.lines]
    events = list(reversed(league.events.values()))
    versions = sorted(league.versions.values(), key=lambda each: (each.submitted, each.id))
    matches = sum(each.played for each in made)
    about = (
        f"{quantity(len(league.bots), 'bot')}, {quantity(len(league.events), 'event')}, "
        f"{quantity(matches, 'match', 'matches')}"
    )
    leaders = [card.details.leader for card in cards if card.details.leader]
    return {
        "cards": cards,
        "about": about,
        "running": [each for each in events if each.event.status == "running"],
        "worth": worth_watching(league, replays),
        "newest": list(reversed(versions))[:_NEWEST],
        "events": events,
        "share": Share(title, f"{about}. {' '.join(leaders)}".strip()),
        "rows": [
            Row(f"{card.details.title}", str(_name(league, card.best[0][0])), 0.0) for card in cards
        ],
    }


def _name(league: LeagueData, line: LeaderboardRow) -> Version:
    return league.versions[line.version_id]


def _card(details: VariantDetails) -> GameCard:
    best = details.lines[:_ON_CARD]
    intervals = [interval_on(details.scale, line.strength, *ends_of(line)) for line in best]
    emblem = emblem_of(details.variant.game)
    return GameCard(details, list(zip(best, intervals, strict=True)), emblem)


def emblem_of(game_id: str) -> Markup:
    """Draw some pieces of a game, fanned out."""
    game = game_named(game_id)
    if drawing_of(game) == "notation":
        return Markup()
    art = art_of(game, game.default_parameters)
    names = import_module(f"{type(game).__module__}.picture").EMBLEM
    turns = (-14, 0, 14)
    drawn = "".join(
        f'<g transform="translate({14 + 34 * at} {20 if at % 2 == 0 else 10}) '
        f'rotate({turn} 30 60)" color="#2458c9">{_inline(art, name, f"{game_id}-{at}")}</g>'
        for at, (name, turn) in enumerate(zip(names, turns, strict=True))
    )
    return Markup(f'<svg class="emblem" viewBox="0 0 158 118" aria-hidden="true">{drawn}</svg>')


def _inline(art: Art, name: str, suffix: str) -> str:
    """Return a piece with what it uses, under ids of its own."""
    markup, shared = art.pieces[name].markup, art.shared
    for part in shared.split("<g id=")[1:]:
        old = part.split('"')[1]
        if f"#{old}" in markup:
            markup = f"<defs><g id={part}</defs>{markup}".replace(old, f"{old}-{suffix}")
    return markup
