"""Compare our encoding of views with the generated protobuf classes, in one run.

Random matches are played at many tables in turn, as the referee plays them, and every view is
written and read in three ways: with the codec in Python, with the one in C, and with the generated
classes, which are filled from the same view and read back into the same record. Each turn has new
matches, so a cache only helps where it helps in play. A ratio is the time of the generated classes
divided by ours: above 1, ours is faster. Every figure is the median of its turns; the first one
warms up and does not count.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from statistics import median
from typing import Any, NamedTuple

from arena.games.jackal.view import View as JackalView
from arena.games.lifeislife.view import View as LifeIsLifeView
from arena.games.meow.view import View as MeowView
from arena.games.randomness import derive, seed_from
from arena.games.registry import AnyGame, all_games
from arena.games.trio.knowledge import Known
from arena.games.trio.view import View as TrioView
from arena.wire.backend import PYTHON, native_backend
from arena.wire.codec import own_codec
from arena.wire.jackal import pack_dice, unpack_dice
from arena.wire.lifeislife import counts_of_herd, herd_of_counts
from arena.wire.v1 import jackal_pb2, lifeislife_pb2, match_pb2, meow_pb2, trio_pb2

SEATS = 4
TABLES = 64
TURNS = 9
VIEWS = 6000
"""Views in each turn."""


# Values that our engines store packed are converted through a cache, as in our own codec.
_unpack_dice = lru_cache(2048)(unpack_dice)
_pack_dice = lru_cache(2048)(pack_dice)
_counts_of_herd = lru_cache(2048)(counts_of_herd)
_herd_of_counts = lru_cache(2048)(herd_of_counts)

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
        tuple(view.shown),
        chosen=view.chosen,
    )


def write_jackal(view: Any) -> bytes:
    """Write a view of Jackal & High."""
    laid = [_unpack_dice(dice) for dice in view.laid]
    message = jackal_pb2.JackalView(
        round=view.round,
        starter=view.starter,
        turn=view.turn,
        cards=view.cards,
        under=view.under,
        laid=[jackal_pb2.JackalDice(stacks=s, faces=f, valley=v) for s, f, v in laid],
        rolled=view.rolled,
        rolls_left=view.rolls_left,
        spoils=[jackal_pb2.JackalCards(cards=cards) for cards in view.spoils],
        valley=view.valley,
        piles=[jackal_pb2.JackalCards(cards=cards) for cards in view.piles],
        take2s=view.take2s,
        gone=view.gone,
        unseen=view.unseen,
    )
    return match_pb2.View(jackal=message).SerializeToString()


def read_jackal(data: bytes, parameters: Any, seats: int, seat: int, to_act: int) -> Any:
    """Read a view of Jackal & High."""
    view = match_pb2.View.FromString(data).jackal
    return JackalView(
        parameters,
        seats,
        seat,
        to_act,
        view.round,
        view.starter,
        view.turn,
        tuple(view.cards),
        tuple(view.under),
        tuple([_pack_dice(tuple(d.stacks), tuple(d.faces), d.valley) for d in view.laid]),
        tuple(view.rolled),
        view.rolls_left,
        tuple([tuple(spoils.cards) for spoils in view.spoils]),
        view.valley,
        tuple([tuple(pile.cards) for pile in view.piles]),
        tuple(view.take2s),
        view.gone,
        tuple(view.unseen),
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
        tuple(view.row),
        tuple(view.later),
        tuple([tuple(won.tokens) for won in view.won]),
        view.leader,
        tuple(view.trick),
        view.hand,
        tuple(view.played),
        tuple(view.voids),
    )


def _herd_message(herd: int) -> lifeislife_pb2.LifeIsLifeCards:
    return lifeislife_pb2.LifeIsLifeCards(counts=_counts_of_herd(herd))


def _herd_in(message: lifeislife_pb2.LifeIsLifeCards) -> int:
    return _herd_of_counts(tuple(message.counts))


def write_lifeislife(view: Any) -> bytes:
    """Write a view of Life is Life."""
    message = lifeislife_pb2.LifeIsLifeView(
        lives=view.lives,
        out=view.out,
        round=view.round,
        starter=view.starter,
        turn=view.turn,
        last_turn=view.last_turn,
        knocker=view.knocker,
        rows=list(map(_herd_message, view.row_herds)),
        hand=_herd_message(view.hand_herd),
        known=list(map(_herd_message, view.known_herds)),
        lacking=list(map(_herd_message, view.lacking_herds)),
    )
    return match_pb2.View(lifeislife=message).SerializeToString()


def read_lifeislife(data: bytes, parameters: Any, seats: int, seat: int, to_act: int) -> Any:
    """Read a view of Life is Life."""
    view = match_pb2.View.FromString(data).lifeislife
    return LifeIsLifeView(
        parameters,
        seats,
        seat,
        to_act,
        tuple(view.lives),
        tuple(view.out),
        view.round,
        view.starter,
        view.turn,
        view.last_turn,
        view.knocker,
        tuple(map(_herd_in, view.rows)),
        _herd_in(view.hand),
        tuple(map(_herd_in, view.known)),
        tuple(map(_herd_in, view.lacking)),
    )


class Generated(NamedTuple):
    """Write and read a game's views with the generated classes."""

    write: Callable[[Any], bytes]
    read: Callable[..., Any]


GENERATED = {
    "trio": Generated(write_trio, read_trio),
    "jackal": Generated(write_jackal, read_jackal),
    "meow": Generated(write_meow, read_meow),
    "lifeislife": Generated(write_lifeislife, read_lifeislife),
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


def seconds_to_write(write: Callable[[Any], bytes], views: Sequence[Any]) -> float:
    """Return the processor time of writing all views."""
    start = time.process_time()
    for view in views:
        write(view)
    return time.process_time() - start


def seconds_to_read(read: Callable[..., Any], sent: Sequence[tuple[bytes, Any]]) -> float:
    """Return the processor time of reading all messages."""
    start = time.process_time()
    for data, context in sent:
        read(data, *context)
    return time.process_time() - start


def measure_game(game: AnyGame) -> dict[str, float]:
    """Measure all ways alternately; return µs and ratios of each codec, by its name."""
    generated = GENERATED[game.id]
    codecs = [own_codec(game.id, backend) for backend in (PYTHON, native_backend()) if backend]
    found: dict[str, list[float]] = {}
    for turn in range(TURNS + 1):
        views = some_views(game, turn)
        sent = [(generated.write(view), view[:4]) for view in views]
        assert [generated.read(data, *context) for data, context in sent[:10]] == views[:10]
        write_s = seconds_to_write(generated.write, views)
        read_s = seconds_to_read(generated.read, sent)
        for codec in codecs:
            assert [codec.view_bytes(view) for view in views[:10]] == [
                data for data, _ in sent[:10]
            ]
            our_write_s = seconds_to_write(codec.view_bytes, views)
            our_read_s = seconds_to_read(codec.view_in, sent)
            name = codec.backend.name
            figures = {
                f"{name}_write_us": our_write_s / VIEWS * 1e6,
                f"{name}_read_us": our_read_s / VIEWS * 1e6,
                f"{name}_write_ratio": write_s / our_write_s,
                f"{name}_read_ratio": read_s / our_read_s,
            }
            for key, figure in figures.items() if turn else ():
                found.setdefault(key, []).append(figure)
    return {key: round(median(figures), 2) for key, figures in found.items()}


def measure() -> dict[str, dict[str, float]]:
    """Measure every game; the keys are those of --json."""
    return {game.id: measure_game(game) for game in all_games()}


def show(figures: dict[str, dict[str, float]]) -> None:
    """Print the figures as a table."""
    print("one view                  ours, µs            generated / ours")
    print("game            codec     write    read       write    read")
    for game, found in figures.items():
        for name in ("python", "native"):
            if f"{name}_write_us" in found:
                write, read, write_ratio, read_ratio = (
                    found[f"{name}_{key}"]
                    for key in ("write_us", "read_us", "write_ratio", "read_ratio")
                )
                print(f"{game:15} {name} {write:8} {read:7} {write_ratio:11} {read_ratio:7}")


if __name__ == "__main__":
    result = measure()
    if "--json" in sys.argv[1:]:
        print(json.dumps(result, indent=2))
    else:
        show(result)
