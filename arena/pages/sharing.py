"""What a page says about itself where its address is shared: a title, a sentence, a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import quote

from arena.games.explanation import listed
from arena.games.registry import AnyGame, game_named
from arena.records import Record
from arena.replays.transcript import player_names
from arena.text import plain

_LOGO = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="2" y="5" width="17" '
    'height="24" rx="3" fill="#b34e07" transform="rotate(-10 10 17)"/><rect x="12" y="4" '
    'width="17" height="24" rx="3" fill="#2458c9" transform="rotate(8 20 16)"/><path d="M20.5 '
    '9l2.2 5 5.3.4-4 3.5 1.3 5.2-4.8-2.8-4.6 2.8 1.2-5.2-4-3.5 5.3-.4z" '
    'fill="#fff"/></svg>'
)
ICON = f"data:image/svg+xml,{quote(_LOGO)}"


class Share(NamedTuple):
    """What a messenger shows of a link."""

    title: str
    description: str
    picture: str = ""
    """The address of a picture; empty if there is none."""
    address: str = ""
    """The address of the page itself, if it is known where it is published."""


def share_of_match(
    record: Record,
    explanation: str,
    *,
    picture: str = "",
    address: str = "",
    hides_result: bool = False,
) -> Share:
    """Say how a match ended, with the sentence that explains it, or only who played it."""
    game = game_named(record.game_id)
    names = [plain(name) for name in player_names(record)]
    if hides_result:
        title, more = f"{game.title}: {listed(names)}", "A replay to step through."
    else:
        sides = game.sides(len(names), game.parameters_form.read(record.parameters))
        title = title_of_result(game, names, record.places, record.outcome.scores, sides)
        more = plain(explanation)
    description = f"{len(names)} players, {len(record.decisions)} decisions. {more}"
    return Share(title, description, picture, address)


def title_of_result(
    game: AnyGame,
    names: Sequence[str],
    places: Sequence[int],
    scores: Sequence[int],
    sides: Sequence[int],
) -> str:
    """Write who wins, and the scores of the winner and the next: "ann wins MEOW, 48 to 7"."""
    first = [seat for seat, place in enumerate(places) if place == 1]
    others = [seat for seat in range(len(places)) if seat not in first]
    who = listed([names[seat] for seat in first])
    if len({sides[seat] for seat in first}) > 1:
        return f"{who} share first place in {game.title}, {scores[first[0]]} each"
    verb = "wins" if len(first) == 1 else "win"
    against = max((scores[seat] for seat in others), default=0)
    if scores[first[0]] == against:
        # A tie-break, a winning card or a fault decided: the explanation says which.
        return f"{who} {verb} {game.title} at equal scores, {_number(against)} each"
    return f"{who} {verb} {game.title}, {_number(scores[first[0]])} to {_number(against)}"


def _number(score: int) -> str:
    return f"−{-score}" if score < 0 else str(score)
