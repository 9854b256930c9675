"""What chance decides card by card has the probabilities of dealing all at once."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from arena.learn.chance import ChanceDraw, draw_of

Sets = tuple[tuple[int, ...], ...]


def _cut(items: tuple[int, ...], sizes: tuple[int, ...]) -> Sets:
    """Cut drawn items into sets."""
    sets = []
    for size in sizes:
        sets.append(tuple(sorted(items[:size])))
        items = items[size:]
    return tuple(sets)


def _all_deals(draw: ChanceDraw) -> list[tuple[Sets, Fraction]]:
    """List every path through a draw, as the sets drawn and the probability."""
    paths: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    for _ in range(draw.size):
        longer = []
        for drawn, chance in paths:
            weights = draw.weights(drawn)
            total = sum(weight for _, weight in weights)
            assert [index for index, _ in weights] == sorted({index for index, _ in weights})
            longer += [((*drawn, at), chance * Fraction(w, total)) for at, w in weights]
        paths = longer
    return [(_cut(tuple(draw.items(drawn)), draw.sets), chance) for drawn, chance in paths]


@given(st.data())
def test_each_way_to_deal_sets_is_one_path_with_its_exact_probability(data: st.DataObject) -> None:
    items = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=6))
    sizes = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    sizes = [size for at, size in enumerate(sizes) if sum(sizes[: at + 1]) <= len(items)]
    draw = draw_of("hands", items, tuple(sizes))
    shuffles = list(permutations(items))
    expected: dict[Sets, Fraction] = defaultdict(Fraction)
    for shuffle in shuffles:
        expected[_cut(shuffle, draw.sets)] += Fraction(1, len(shuffles))
    deals = _all_deals(draw)
    assert len(deals) == len(expected)
    assert dict(deals) == expected


def test_a_die_shows_every_face_each_time() -> None:
    dice = ChanceDraw("dice", tuple(range(1, 9)), (), (1, 1))
    assert dice.weights(()) == dice.weights((3,)) == [(face, 1) for face in range(8)]
    assert dice.items((0, 7)) == [1, 8]
