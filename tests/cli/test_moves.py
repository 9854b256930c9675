"""A move may be abbreviated or chosen by its number, and is never mistaken for another."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cli.play.moves import AmbiguousMove, Moves, NotAMove, numbered_list
from arena.games.randomness import seed_from
from arena.games.registry import GAME_IDS, game_named


def moves_of(game_id: str, *texts: str, seats: int = 3, seed: int = 1) -> Moves:
    """Return the moves in a position, after some decisions."""
    game = game_named(game_id)
    state = game.start(seats, seed_from(seed))
    for text in texts:
        state.apply(game.parse_action(text))
    return Moves(game, game.view_of(state, state.to_act))


@pytest.mark.parametrize(
    ("game_id", "typed", "meant"),
    [
        ("trio", "h 2", "high 2"),
        ("trio", "c0", "centre 0"),
        ("trio", "CENT 3", "centre 3"),
        ("trio", "low2", "low 2"),
        ("lifeislife", "1d", "1 dog"),
        ("meow", "p15", "P15"),
    ],
)
def test_as_much_of_a_move_as_is_clear_is_enough(game_id: str, typed: str, meant: str) -> None:
    moves = moves_of(game_id)
    texts = {moves.text(action) for action in moves.actions}
    if meant not in texts:
        with pytest.raises(NotAMove, match="Illegal move"):
            moves.read(typed)
    else:
        assert moves.text(moves.read(typed)) == meant


@given(st.sampled_from(GAME_IDS), st.integers(0, 50), st.integers(0, 10**6), st.integers(0, 10**6))
def test_every_move_is_read_and_is_among_those_that_its_beginning_abbreviates(
    game_id: str, steps: int, pick: int, cut: int
) -> None:
    game = game_named(game_id)
    rng = Random(steps)
    state = game.start(3, seed_from(steps))
    for _ in range(steps):
        if not state.is_over:
            state.apply(state.random_action(rng))
    if state.is_over:
        return
    moves = Moves(game, game.view_of(state, state.to_act))
    action = moves.actions[pick % len(moves.actions)]
    text = moves.text(action)
    assert moves.read(text) == action
    # Where a number was cut, it is another.
    start = text[: cut % (len(text) + 1)]
    if not text[len(start) :][:1].isdigit():
        assert action in moves.matching(start)


def test_a_number_is_not_cut() -> None:
    moves = moves_of("meow", seats=2)
    texts = [moves.text(action) for action in moves.actions]
    tens = [text for text in texts if text[1:].startswith("1") and len(text) > 2]
    assert tens
    for text in tens:
        if text[:2] not in texts:
            with pytest.raises(NotAMove, match=f"may not play {text[:2]}"):
                moves.read(text[:2])


def test_what_could_be_several_moves_is_not_played() -> None:
    with pytest.raises(AmbiguousMove, match="could be 9 moves") as error:
        moves_of("trio").read("c")
    assert len(error.value.actions) == 9


@given(st.integers(1, 60), st.integers(12, 120))
def test_a_numbered_list_has_every_number_once_and_fits(count: int, width: int) -> None:
    lines = numbered_list({number: f"move {number}" for number in range(1, count + 1)}, width)
    numbers = [int(word[:-1]) for line in lines for word in line.split() if word.endswith(")")]
    assert sorted(numbers) == list(range(1, count + 1))
    assert max(map(len, lines)) <= max(width, 2 + len("60) move 60"))
