"""Compare our encoding of views with the generated protobuf classes, in one run.

Random matches are played at many tables in turn, as the referee plays them, and every view is
written and read with the codec in Python and with the one in C; those of Trio and MEOW also with
the generated classes, which are filled from the same view and read back into the same record. Each
turn has new matches, so a cache only helps where it helps in play. A ratio is the time of the
generated classes divided by ours: above 1, ours is faster. Every figure is the median of its turns;
the first one warms up and does not count.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from random import Random
from statistics import median
from typing import Any, NamedTuple

from figures import print_figures

from arena.games.meow.cards import Card, Token
from arena.games.meow.view import View as MeowView
from arena.games.randomness import derive, seed_from
from arena.games.registry import AnyGame, all_games
from arena.games.trio.cards import Action
from arena.games.trio.knowledge import Known
from arena.games.trio.view import View as TrioView
from arena.wire.backend import PYTHON, native_backend
from arena.wire.codec import codec_of
from arena.wire.v1 import match_pb2, meow_pb2, trio_pb2

SEATS = 4
TABLES = 64
TURNS = 9
VIEWS = 6000
"""Views in each turn."""


# Each game has its own type of view, hence Any.


def write_trio(view: Any) -> bytes:
    """Write a view of Trio without teams."""
    message = trio_pb2.TrioView(
        turn=view.turn,
        piles=[trio_pb2.TrioCards(cards=cards) for cards in view.piles],
        hand=view.hand,
        known=[
            trio_pb2.TrioKnown(size=size, low=low, high=high, least=least, most=most)
            for size, low, high, least, most in view.known
        ],
        centre=view.centre,
        shown=view.shown,
        chosen=view.chosen,
    )
    return match_pb2.View(trio=message).SerializeToString()


def read_trio(data: bytes, parameters: Any, seats: int, seat: int, to_act: int) -> Any:
    """Read a view of Trio without teams."""
    view = match_pb2.View.FromString(data).trio
    return TrioView(
        parameters,
        seats,
        seat,
        to_act,
        view.turn,
        tuple([tuple(pile.cards) for pile in view.piles]),
        tuple(view.hand),
        tuple([Known(k.size, tuple(k.low), tuple(k.high), k.least, k.most) for k in view.known]),
        tuple(view.centre),
        tuple(map(Action, view.shown)),
        chosen=view.chosen,
    )


def write_meow(view: Any) -> bytes:
    """Write a view of MEOW."""
    message = meow_pb2.MeowView(
        round=view.round,
        row=view.row,
        later=view.later,
        won=[meow_pb2.MeowTokens(tokens=tokens) for tokens in view.won],
        leader=view.leader,
        trick=view.trick,
        hand=view.hand_mask,
        played=view.played_masks,
        voids=view.voids,
    )
    return match_pb2.View(meow=message).SerializeToString()


def read_meow(data: bytes, parameters: Any, seats: int, seat: int, to_act: int) -> Any:
    """Read a view of MEOW."""
    view = match_pb2.View.FromString(data).meow
    return MeowView(
        parameters,
        seats,
        seat,
        to_act,
        view.round,
        tuple(map(Token, view.row)),
        tuple(map(Token, view.later)),
        tuple([tuple(map(Token, won.tokens)) for won in view.won]),
        view.leader,
        tuple(map(Card, view.trick)),
        view.hand,
        tuple(view.played),
        tuple(view.voids),
    )


class Generated(NamedTuple):
    """Write and read a game's views with the generated classes."""

    write: Callable[[Any], bytes]
    read: Callable[..., Any]


GENERATED = {
    "trio": Generated(write_trio, read_trio),
    "meow": Generated(write_meow, read_meow),
}


def some_views(game: AnyGame, turn: int) -> list[Any]:
    """Play random matches at many tables in turn; return what each seat to act saw."""
    rng = Random(turn)
    views: list[Any] = []
    number = 0
    tables: list[Any] = []
    while len(views) < VIEWS:
        tables = [state for state in tables if not state.is_over]
        while len(tables) < TABLES:
            tables.append(game.start(SEATS, derive(seed_from(turn), f"match {number}")))
            number += 1
        for state in tables:
            views.append(game.view_of(state, state.to_act))
            state.apply(state.random_action(rng))
    return views[:VIEWS]


def write_us(write: Callable[[Any], bytes], views: Sequence[Any]) -> float:
    """Return the CPU time of writing a view."""
    start = time.process_time()
    for view in views:
        write(view)
    return (time.process_time() - start) / VIEWS * 1e6


def read_us(read: Callable[..., Any], sent: Sequence[tuple[bytes, Any]]) -> float:
    """Return the CPU time of reading a message."""
    start = time.process_time()
    for data, context in sent:
        read(data, *context)
    return (time.process_time() - start) / VIEWS * 1e6


def measure_game(game: AnyGame) -> dict[str, float]:
    """Measure all ways alternately; return µs and ratios of each codec, by its name."""
    generated = GENERATED.get(game.id)
    codecs = [codec_of(game.id, backend) for backend in (PYTHON, native_backend()) if backend]
    found: dict[str, list[float]] = {}
    for turn in range(TURNS + 1):
        views = some_views(game, turn)
        sent = [(codecs[0].view_bytes(view), view[:4]) for view in views]
        figures: dict[str, float] = {}
        for codec in codecs:
            assert [codec.view_bytes(view) for view in views[:10]] == [d for d, _ in sent[:10]]
            figures[f"{codec.backend.name}_write_us"] = write_us(codec.view_bytes, views)
            figures[f"{codec.backend.name}_read_us"] = read_us(codec.view_in, sent)
        if generated:
            assert [generated.write(view) for view in views[:10]] == [d for d, _ in sent[:10]]
            assert [generated.read(data, *context) for data, context in sent[:10]] == views[:10]
            theirs = {"write": write_us(generated.write, views)}
            theirs["read"] = read_us(generated.read, sent)
            for codec in codecs:
                for way, us in theirs.items():
                    key = f"{codec.backend.name}_{way}"
                    figures[f"{key}_ratio"] = us / figures[f"{key}_us"]
        for key, figure in figures.items() if turn else ():
            found.setdefault(key, []).append(figure)
    return {key: round(median(figures), 2) for key, figures in found.items()}


def measure() -> dict[str, dict[str, float]]:
    """Measure every game; the keys are those of --json."""
    return {game.id: measure_game(game) for game in all_games()}


if __name__ == "__main__":
    print_figures(measure())
