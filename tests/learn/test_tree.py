"""Trees of the games, in which every card and die is a separate node."""

from __future__ import annotations

import copy
import pickle
from random import Random
from typing import Any

import pytest

from arena.errors import BadInput, BadParameter, IllegalAction
from arena.games import AnyGame, Chance, Source, all_games, game_named, seed_from
from arena.games.conformance import Setting, check_view, settings_of
from arena.games.core import NOBODY
from arena.learn.tree import CHANCE, Node, tree_of

# The largest table of each variant.
SETTINGS = list(
    {
        (setting.game.id, setting.variant): setting
        for game in all_games()
        for setting in settings_of(game)
    }.values()
)
every_variant = pytest.mark.parametrize("setting", SETTINGS, ids=str)
one_of_each = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)


def walk(node: Node[Any], rng: Random, steps: int) -> list[Node[Any]]:
    """Go down a tree at random; return the nodes on the way, the given one first."""
    nodes = [node]
    while not node.is_over and len(nodes) <= steps:
        if node.to_act == CHANCE:
            node = node.after(node.sample(rng))
        else:
            node = node.after(node.state.random_action(rng))
        nodes.append(node)
    return nodes


@every_variant
def test_what_is_decided_in_a_tree_is_a_match_like_any_other(setting: Setting) -> None:
    rng = Random(1)
    nodes = walk(tree_of(setting.game, setting.seats, setting.parameters), rng, 150)
    dealt = setting.game.start(setting.seats, 1, setting.parameters)
    decisions = [node for node in nodes if node.to_act >= 0]
    for node in rng.sample(decisions, 3):
        assert node.state.inventory() == dealt.inventory()
        assert node.legal_actions() == node.state.legal_actions()
        for seat in range(setting.seats):
            check_view(setting, node.state, seat, rng)


@one_of_each
def test_chance_has_probabilities_that_add_up(game: AnyGame) -> None:
    chances = [node for node in walk(tree_of(game, 4), Random(2), 300) if node.to_act == CHANCE]
    for node in chances:
        outcomes = node.outcomes()
        assert [outcome for outcome, _ in outcomes] == node.legal_actions()
        assert abs(sum(chance for _, chance in outcomes) - 1) < 1e-9
        assert node.sample(Random(3)) in node.legal_actions()


def test_a_tree_goes_on_to_the_outcome() -> None:
    *_, last = walk(tree_of(game_named("meow"), 2, "expert"), Random(4), 1000)
    assert last.to_act == NOBODY
    assert last.is_over
    assert last.legal_actions() == []
    assert len(last.state.outcome().places) == 2


def test_dice_are_rolled_only_when_a_seat_rolls_them() -> None:
    node = tree_of(game_named("jackal"), 2)
    labels = []
    while node.to_act == CHANCE:
        assert node.draw is not None
        labels.append((node.draw.label, len(node.drawn)))
        node = node.after(node.legal_actions()[0])
    # The valley's card, the display, and the starter's three dice.
    assert labels[0] == ("valley", 0)
    assert labels[-3:] == [("dice 0", rolled) for rolled in range(3)]
    assert {label for label, _ in labels[1:-3]} == {"deck"}
    assert len(node.state.rolled) == 3


def test_the_same_branch_taken_twice_is_the_same() -> None:
    node = walk(tree_of(game_named("jackal"), 3), Random(5), 40)[-1]
    for _ in range(60):
        action = node.legal_actions()[-1]
        one, other = node.after(action), node.after(action)
        assert one.to_act == other.to_act
        if one.to_act != CHANCE:
            assert one.state.truth() == other.state.truth()
        node = one


def test_there_is_no_state_while_chance_decides() -> None:
    root = tree_of(game_named("trio"), 3)
    with pytest.raises(BadInput, match="chance decides here"):
        _ = root.state
    with pytest.raises(BadInput, match="chance still deals"):
        _ = root.history
    with pytest.raises(IllegalAction, match="deal: 99 cannot be drawn here"):
        root.after(99)
    nodes = walk(root, Random(1), 60)
    with pytest.raises(BadInput, match="chance is not to act"):
        nodes[-1].outcomes()
    with pytest.raises(BadInput, match="chance is not to act"):
        nodes[-1].sample(Random(1))


def test_a_tree_refuses_what_a_match_refuses() -> None:
    with pytest.raises(BadParameter, match="cannot seat 9"):
        tree_of(game_named("trio"), 9)
    with pytest.raises(BadParameter, match="no variant 'spicey'"):
        tree_of(game_named("trio"), 3, "spicey")


def _pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


@every_variant
def test_states_and_nodes_can_be_pickled_and_copied_deeply(setting: Setting) -> None:
    rng = Random(6)
    game = setting.game
    state = game.start(setting.seats, 6, setting.parameters, recording=True)
    for _ in range(rng.randrange(60)):
        if not state.is_over:
            state.apply(state.random_action(rng))
    node = walk(tree_of(game, setting.seats, setting.parameters), rng, 100)[-2]
    for duplicate in (copy.deepcopy, _pickled):
        twin, original = duplicate(state), state.copy()
        assert twin.events == state.events
        assert twin.truth() == original.truth()
        before = state.truth()
        # Later deals and dice are the same, too, and the original is left alone.
        play = Random(7)
        for _ in range(200):
            if original.is_over:
                break
            action = original.random_action(play)
            original.apply(action)
            twin.apply(action)
        assert twin.truth() == original.truth()
        assert state.truth() == before
        again = duplicate(node)
        assert [again.to_act, again.drawn] == [node.to_act, node.drawn]
        if node.to_act != CHANCE:
            assert again.state.truth() == node.state.truth()
        assert again.legal_actions() == node.legal_actions()
        assert again.history.text(0) == node.history.text(0)
        action = node.legal_actions()[0]
        assert again.after(action).legal_actions() == node.after(action).legal_actions()


def test_a_match_can_be_started_from_a_source_of_chance_of_ones_own() -> None:
    class Unshuffled(Chance):
        def draw(self, label, items, count, sets=()):  # type: ignore[no-untyped-def]
            return list(items)[:count]

        def dice(self, label, count, faces=8):  # type: ignore[no-untyped-def]
            return [1] * count

    trio = game_named("trio")
    state = trio.start(3, Unshuffled())
    assert state.hands[0] == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert trio.start(3, Source(seed_from(7))).truth() == trio.start(3, 7).truth()


@one_of_each
def test_a_state_can_take_its_chance_from_elsewhere(game: AnyGame) -> None:
    state, other = game.start(4, 7), game.start(4, 7)
    other.take_chance(Source(seed_from(8)))
    assert other.inventory() == state.inventory()
    for seat in range(4):
        assert game.view_of(other, seat) == game.view_of(state, seat)
