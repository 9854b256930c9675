"""Small matches for exact analysis: they keep the whole contract, and their trees are complete."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from importlib import import_module
from random import Random
from typing import Any, NamedTuple

import pytest

from arena.errors import BadParameter
from arena.games import all_games, game_named
from arena.games.conformance import Setting, check_match, highest, lowest
from arena.games.tree import CHANCE, Node
from arena.replays.format import read_replay, write_replay
from arena.replays.verify import verify
from arena.text import unstyled
from arena.wire.backend import IN_USE, PYTHON
from arena.wire.codec import own_codec
from tests.builders.records import play_match

SMALL = {
    "jackal": (
        "numbers=2 specials=1 dice=1 faces=2 contest_rolls=1 round_cap=1",
        "numbers=5 specials=2 dice=2 faces=4 contest_rolls=2 round_cap=6",
        "numbers=3 dice=3 faces=2 contest_rolls=9",
        "numbers=9 dice=1 round_cap=9",
    ),
    "meow": (
        "ranks=2 hand=2 rounds=1 tokens=5,-3",
        "ranks=6 hand=3 rounds=2 tokens=1,2,3,fish,vase,-4",
        "expert hand=4 rounds=1 tokens=1,2,vase,vase",
    ),
    "lifeislife": (
        "kinds=4 copies=2 hand=3 rows=1 lives=1 turn_cap=1 round_cap=1",
        "kinds=5 copies=1 hand=2 rows=1 lives=2 turn_cap=3",
        "expert kinds=6 copies=4 hand=5 rows=3 lives=2 turn_cap=4 round_cap=9",
        "copies=4 hand=6 lives=2 turn_cap=6",
    ),
    "trio": (
        "numbers=2 hand=3 trios=1 turn_cap=1",
        "numbers=3 hand=2 trios=2 turn_cap=5",
        "numbers=4 teams=yes trios=2 turn_cap=5",
        "spicy numbers=3 hand=2 turn_cap=9",
    ),
}
SETTINGS = [
    Setting(game_named(game_id), seats, words, game_named(game_id).read_parameters(words))
    for game_id, configurations in SMALL.items()
    for words in configurations
    for seats in game_named(game_id).seats_for(game_named(game_id).read_parameters(words))[:2]
]
every_setting = pytest.mark.parametrize("setting", SETTINGS, ids=str)
TINY = tuple((game_id, configurations[0]) for game_id, configurations in SMALL.items())


@every_setting
def test_small_matches_keep_the_contract(setting: Setting) -> None:
    check_match(setting, 0, check_every=4)
    for policy in (lowest, highest):
        check_match(setting, 0, policy, check_every=100)


@every_setting
def test_small_matches_travel_on_the_wire_and_as_text(setting: Setting) -> None:
    game = setting.game
    for backend in (PYTHON, IN_USE):
        codec = own_codec(game.id, backend)
        written = codec.parameters_bytes(setting.parameters)
        assert codec.parameters_in(written) == setting.parameters
    text = game.parameters_form.show(setting.parameters)
    assert game.parameters_form.read(text) == setting.parameters


@every_setting
def test_replays_of_small_matches_are_verified(setting: Setting) -> None:
    record = play_match(setting, 0, {})
    assert verify(record) == []
    assert read_replay(write_replay(record)) == record


@every_setting
def test_small_matches_are_drawn_and_told(setting: Setting) -> None:
    game = setting.game
    drawing = import_module(f"{type(game).__module__}.drawing")
    names = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fay")[: setting.seats]
    state = game.start(setting.seats, 3, setting.parameters, recording=True)
    rng = Random(3)
    while not state.is_over:
        view = game.view_of(state, state.to_act)
        assert str(view)
        example = unstyled(drawing.choices(view))
        assert game.action_text(state.legal_actions()[0]).split()[0] in example
        state.apply(state.random_action(rng))
    for event in state.events:
        assert game.narrate(event, names)
    assert game.explain(state, names).sentence


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_matches_of_the_usual_size_do_not_mention_how_small_they_could_be(game: Any) -> None:
    for parameters in game.variants.values():
        shown = game.parameters_form.show(parameters)
        assert not any(f"{name}=" in shown for name in parameters.brief)


class Path(NamedTuple):
    """A node, how likely chance makes it, and what each seat has seen and done on the way."""

    node: Node[Any]
    chance: Fraction
    seen: tuple[tuple[Any, ...], ...]


def paths(node: Node[Any], chance: Fraction, seen: tuple[Any, ...]) -> Iterator[Path]:
    """List all nodes of a tree that are no chance nodes."""
    if node.to_act == CHANCE:
        assert node.draw is not None
        weights = node.draw.weights(node.drawn)
        total = sum(weight for _, weight in weights)
        for outcome, weight in weights:
            yield from paths(node.after(outcome), chance * Fraction(weight, total), seen)
        return
    game = node.game
    # A view does not say everything: in Trio, a card that is known may be turned up once more.
    said = tuple(node.state.events or ())
    seen = tuple((*mine, said, game.view_of(node.state, seat)) for seat, mine in enumerate(seen))
    yield Path(node, chance, seen)
    for action in node.legal_actions():
        own = tuple(
            (*mine, action) if seat == node.to_act else mine for seat, mine in enumerate(seen)
        )
        yield from paths(node.after(action), chance, own)


@pytest.fixture(scope="module", params=TINY, ids=lambda tiny: tiny[0])
def tree(request: pytest.FixtureRequest) -> list[Path]:
    """Every node of a tiny match of two, without those of chance."""
    game_id, words = request.param
    root = game_named(game_id).tree(2, words)
    return list(paths(root, Fraction(1), ((), ())))


def test_all_deals_together_have_probability_one(tree: list[Path]) -> None:
    deals = [path for path in tree if all(len(mine) == 2 for mine in path.seen)]
    assert len(deals) > 1
    assert sum(path.chance for path in deals) == 1
    assert len({path.node.state.truth() for path in deals}) == len(deals)


def test_a_history_says_exactly_what_a_seat_has_seen_and_done(tree: list[Path]) -> None:
    for seat in (0, 1):
        experience = {path.node.history.text(seat): path.seen[seat] for path in tree}
        texts = {path.seen[seat]: path.node.history.text(seat) for path in tree}
        for path in tree:
            text = path.node.history.text(seat)
            # Nothing is forgotten, and nothing is known that was never seen.
            assert experience[text] == path.seen[seat]
            assert texts[path.seen[seat]] == text
        # Cards are hidden in MEOW and Life is Life; in this match of Trio, each hand says what the
        # other is.
        assert (len(texts) < len(tree)) == (tree[0].node.game.id in ("meow", "lifeislife"))


def test_tensors_of_histories_tell_apart_what_the_texts_do(tree: list[Path]) -> None:
    both = {
        (path.node.history.text(seat), path.node.history.numbers(seat).tobytes())
        for path in tree
        for seat in (0, 1)
    }
    assert len(both) == len({text for text, _ in both}) == len({floats for _, floats in both})
    assert len({len(floats) for _, floats in both}) == 1


def test_the_number_of_nodes_is_known(tree: list[Path]) -> None:
    over = Counter(path.node.is_over for path in tree)
    expected = {
        "jackal": (1128, 5160),
        "meow": (1692, 576),
        "trio": (1244, 3228),
        "lifeislife": (310, 474),
    }
    assert (over[False], over[True]) == expected[tree[0].node.game.id]


@pytest.mark.parametrize(
    ("game_id", "words", "sentence"),
    [
        ("meow", "ranks=19", "ranks: 19 is not between 0 and 18"),
        ("meow", "hand=2 rounds=1", "tokens: 27 given, a match needs exactly 2"),
        ("meow", "expert ranks=4", "the expert game itself sets how many ranks"),
        ("meow", "ranks=1 hand=4 rounds=1 tokens=1,2,3,4", "too few for two hands of 4"),
        ("jackal", "numbers=21", "numbers: 21 is not between 0 and 20"),
        ("jackal", "numbers=1", "numbers: 2 pack cards are too few for the valley and a display"),
        ("jackal", "faces=3", "faces: a die has 2, 4 or 8, not 3"),
        ("jackal", "dice=4", "dice: 4 is not between 0 and 3"),
        ("lifeislife", "kinds=11", "kinds: 11 is not between 0 and 10"),
        ("lifeislife", "hand=1", "hand: 1 is not between 2 and 10"),
        ("lifeislife", "hand=4 rows=2", "an animal may have at most 3 cards: set copies"),
        ("lifeislife", "kinds=9 copies=2 hand=3", "a hand of 3 cards is too small for a row of 4"),
        ("lifeislife", "copies=1 hand=4", "10 cards: too few for 10 in rows and 2 hands of 4"),
        ("lifeislife", "copies=3", "30 cards: too few for 10 in rows and 3 hands of 10"),
        ("trio", "numbers=13", "numbers: 13 is not between 0 and 12"),
        ("trio", "teams=yes hand=3", "hand: in teams all cards are dealt"),
        ("trio", "numbers=1 hand=4", "3 cards: no number of players can share them"),
        ("trio", "numbers=5 teams=yes", "15 cards: no number of players can share them"),
    ],
)
def test_a_small_match_that_cannot_be_played_is_refused(
    game_id: str, words: str, sentence: str
) -> None:
    with pytest.raises(BadParameter, match=sentence):
        game_named(game_id).read_parameters(words)
