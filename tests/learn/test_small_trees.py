"""The trees of the smallest matches, complete."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from arena.games import game_named
from arena.learn.tree import CHANCE, Node, tree_of
from tests.games.test_small import SMALL


class Path(NamedTuple):
    """A node, how likely chance makes it, and what each seat has seen and done on the way."""

    node: Node[Any]
    chance: Fraction
    seen: tuple[tuple[Any, ...], ...]


def paths(node: Node[Any], chance: Fraction, seen: tuple[Any, ...]) -> Iterator[Path]:
    """List all nodes of a tree except chance nodes."""
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


@pytest.fixture(scope="module", params=SMALL)
def tree(request: pytest.FixtureRequest) -> list[Path]:
    """Every node of a tiny match of two, without those of chance."""
    root = tree_of(game_named(request.param), 2, SMALL[request.param][0])
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


def test_the_number_of_nodes_is_known(tree: list[Path]) -> None:
    over = Counter(path.node.is_over for path in tree)
    expected = {
        "jackal": (1128, 5160),
        "meow": (1692, 576),
        "trio": (1244, 3228),
        "lifeislife": (310, 474),
    }
    assert (over[False], over[True]) == expected[tree[0].node.game.id]
