"""The same seed always gives the same shuffles and dice."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadSeed
from arena.games.randomness import SEED_BYTES, Source, derive, seed_from

seeds = st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES)


def test_seeds_never_change() -> None:
    assert seed_from(0).hex() == "74cb0f5feab636f60984aa4eedc4ec8ab7e23eba802492aa539a358ea4d9f691"
    assert seed_from(7).hex() == "fc5af4ffd5ba3dea6cd0c616c462f4d4796cebb3bc2e2080c6200ddea9478778"
    assert (
        derive(seed_from(7), "match 3").hex()
        == "ae382bf4f32bd3c406517356935eafac51ebfe079aff4239d656b05bbc255f1d"
    )


def test_shuffles_and_dice_never_change() -> None:
    source = Source(seed_from(7))
    assert source.deck("cards 0", range(12)) == [10, 7, 3, 11, 9, 0, 6, 5, 8, 4, 1, 2]
    assert source.deck("cards 1", range(12)) == [6, 10, 3, 1, 7, 0, 2, 11, 4, 5, 9, 8]
    drawn = (
        "10 11 13 22 19 47 42 29 15 33 51 24 1 35 37 8 48 38 56 58 17 49 16 2 20 41 25 "
        "3 59 14 55 6 45 32 27 36 57 34 40 7"
    )
    assert source.draw("cards 0", range(60), 40) == [int(word) for word in drawn.split()]
    assert source.dice("dice 0 0 1 0", 3) == [4, 1, 1]
    assert source.dice("dice 0 1 1 0", 8) == [8, 4, 8, 3, 8, 6, 1, 6]


@given(seeds, st.integers(0, 128), st.text(max_size=10))
def test_a_shuffle_keeps_every_item(seed: bytes, size: int, label: str) -> None:
    assert sorted(Source(seed).deck(label, range(size))) == list(range(size))


@given(seeds, st.integers(1, 60))
def test_drawing_fewer_is_the_beginning_of_drawing_more(seed: bytes, count: int) -> None:
    source = Source(seed)
    assert source.draw("x", range(60), count) == source.deck("x", range(60))[:count]


@given(seeds, st.integers(0, 64))
def test_dice_have_eight_sides(seed: bytes, count: int) -> None:
    rolled = Source(seed).dice("x", count)
    assert len(rolled) == count
    assert set(rolled) <= set(range(1, 9))


def test_every_item_comes_first_equally_often() -> None:
    source = Source(seed_from(1))
    firsts = Counter(source.draw(f"try {number}", range(12), 1)[0] for number in range(12_000))
    assert sum((firsts[item] - 1000) ** 2 / 1000 for item in range(12)) < 40


def test_every_face_comes_up_equally_often() -> None:
    source = Source(seed_from(2))
    faces = Counter(face for n in range(4000) for face in source.dice(f"roll {n}", 2))
    assert sum((faces[face] - 1000) ** 2 / 1000 for face in range(1, 9)) < 30


def test_every_label_and_seed_has_its_own_stream() -> None:
    shuffles = {
        tuple(Source(seed_from(seed)).deck(label, range(30)))
        for seed in range(20)
        for label in ("cards 1", "cards 11", "cards 1/1", "cards")
    }
    assert len(shuffles) == 80


@pytest.mark.parametrize("seed", [b"", b"short", bytes(31), bytes(33)], ids=len)
def test_a_seed_of_the_wrong_length_is_refused(seed: bytes) -> None:
    with pytest.raises(BadSeed, match=f"32 bytes, not {len(seed)}"):
        Source(seed)


def test_a_negative_number_is_not_a_seed() -> None:
    with pytest.raises(BadSeed, match="-1 is negative"):
        seed_from(-1)
