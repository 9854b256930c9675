"""Our games in OpenSpiel: import this module, then `pyspiel.load_game("arena_meow(players=3)")`.

The games are called `arena_trio`, `arena_jackal`, `arena_meow` and `arena_lifeislife`. Every card
and die is a node of chance. A seat's utility is the share of its opponents that it has beaten minus
the share that has beaten it, so all games are zero-sum; partners have the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from random import Random
from typing import Any, NamedTuple, cast

from arena.errors import BadParameter
from arena.games import GAME_IDS, AnyGame, game_named, parameters_from
from arena.learn import need
from arena.learn.table import rewards_of
from arena.learn.tree import CHANCE, Node, tree_of

need("pyspiel", "arena.learn.openspiel")

import numpy as np  # noqa: E402 (after the check that OpenSpiel is installed)
import pyspiel  # noqa: E402

# OpenSpiel is not typed, and its parameters are of several types: hence Any.
AS_VARIANT = -1
"""The value of a numeric parameter that the variant sets."""
_UNSET = ("", AS_VARIANT)
PREFIX = "arena_"


def game_type(game: AnyGame) -> Any:
    """Describe a game to OpenSpiel, before its parameters are known."""
    information = pyspiel.GameType.Information
    counts = sorted(game.small_seat_counts + game.seat_counts)
    return pyspiel.GameType(
        short_name=PREFIX + game.id,
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        # In Jackal & High only what chance has not decided yet is hidden.
        information=(
            information.PERFECT_INFORMATION
            if game.id == "jackal"
            else information.IMPERFECT_INFORMATION
        ),
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=counts[-1],
        min_num_players=counts[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=specification(game),
    )


def specification(game: AnyGame) -> dict[str, Any]:
    """List the parameters of a game in OpenSpiel, with values that leave the choice to the variant.

    A boolean gets no parameter: the variants differ in it.
    """
    found: dict[str, Any] = {"players": game.seat_counts[0], "variant": next(iter(game.variants))}
    for name, value in game.default_parameters.named_values().items():
        if not isinstance(value, bool):
            found[name] = "" if isinstance(value, tuple | Enum) else AS_VARIANT
    return found


def read_parameters(game: AnyGame, given: Mapping[str, Any]) -> Any:
    """Read the parameters of a match from those of OpenSpiel, whose lists have `;` for commas."""
    words = [str(given["variant"])]
    for name, value in given.items():
        if name not in ("players", "variant") and value not in _UNSET:
            words.append(f"{name}={str(value).replace(';', ',')}")
    return parameters_from(game, words)


class Longest(NamedTuple):
    """Upper limits of a game's tree."""

    decisions: int
    """Decisions of all seats in a match."""
    draws: int
    """Cards and dice that chance draws in a match."""
    outcomes: int
    """Different cards or faces in one draw."""


def _longest_trio(seats: int, parameters: Any) -> Longest:
    """Let every turn reveal three cards, and every trio lead to swaps."""
    numbers = parameters.deck_size // 3
    swaps = (numbers + 1) * seats if parameters.teams else 0
    return Longest(3 * parameters.turn_cap * seats + swaps, parameters.deck_size, numbers)


def _longest_jackal(seats: int, parameters: Any) -> Longest:
    """Let every seat place dice three times in each round, and contest all of them."""
    turns = parameters.round_cap * seats
    # Ties may go on forever if nothing limits them, but each is less likely than the last.
    again = 6 * (parameters.contest_rolls - 1) * turns if parameters.contest_rolls else 2000
    return Longest(6 * turns, 35 + 11 * turns + again, 22)


def _longest_meow(seats: int, parameters: Any) -> Longest:
    cards = len(parameters.tokens) * seats
    return Longest(cards, cards + len(parameters.tokens), 54)


def _longest_lifeislife(seats: int, parameters: Any) -> Longest:
    """Let every round last until its cap, and be knocked in the end."""
    turns = parameters.round_cap * (parameters.turn_cap + 1) * seats
    cards = parameters.cards_in_rows + parameters.hand_size * seats
    return Longest(turns, parameters.round_cap * cards, 10)


# Parameters differ from game to game: hence Any.
_LONGEST: Mapping[str, Callable[[int, Any], Longest]] = {
    "trio": _longest_trio,
    "jackal": _longest_jackal,
    "meow": _longest_meow,
    "lifeislife": _longest_lifeislife,
}


class ArenaGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel is not typed
    """One of our games, for a number of players and parameters."""

    def __init__(self, game: AnyGame, described: Any, given: Mapping[str, Any] | None) -> None:
        """Check the parameters."""
        chosen = {name: value for name, value in (given or {}).items() if value not in _UNSET}
        given = {**specification(game), **chosen}
        self.game = game
        self.seats = int(given["players"])
        self.parameters = read_parameters(game, given)
        self.root: Node[Any] = tree_of(game, self.seats, self.parameters)
        longest = _LONGEST[game.id](self.seats, self.parameters)
        self._draws = longest.draws
        info = pyspiel.GameInfo(
            num_distinct_actions=game.action_count,
            max_chance_outcomes=longest.outcomes,
            num_players=self.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=longest.decisions,
        )
        super().__init__(described, info, chosen)

    def new_initial_state(self) -> ArenaState:
        """Return the root."""
        return ArenaState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return how many cards and dice are drawn in the longest match."""
        return self._draws

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer | None:
        """Return what writes views as tensors, and views or histories as text.

        There is none for the public or the private part of a view alone.
        """
        if params:
            raise BadParameter(f"observers of {PREFIX}{self.game.id} have no parameters: {params}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return Observer(_encoder(self.game, self.seats), recalls=bool(kind.perfect_recall))


class Observer:
    """Writes what a player observes into `tensor`, or as text.

    With perfect recall that is its history, which has no tensor, otherwise its view.
    """

    def __init__(self, encoder: Any, *, recalls: bool) -> None:
        """Make room for a tensor."""
        self._encoder = encoder
        self._recalls = recalls
        self.tensor = np.zeros(0 if recalls else encoder.size, np.float32)
        self.dict = {} if recalls else {"view": self.tensor}

    def set_from(self, state: Any, player: int) -> None:
        """Write what this player observes into the tensor; zeros until the first deal is over."""
        latest = state.node.latest_state
        if latest is None:
            self.tensor.fill(0)
        elif not self._recalls:
            self.tensor[:] = self._encoder.encode(self._encoder.game.view_of(latest, player))

    def string_from(self, state: Any, player: int) -> str:
        """Write what this player observes as text; nothing until the first deal is over."""
        node, game = state.node, self._encoder.game
        if node.latest_state is None:
            return ""
        if self._recalls:
            return cast(str, node.history.text(player))
        return cast(str, game.view_form.show(game.view_of(node.latest_state, player)))


class ArenaState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel is not typed
    """A node of a game's tree."""

    def __init__(self, game: ArenaGame) -> None:
        """Begin at the root."""
        super().__init__(game)
        # OpenSpiel copies and stores the attributes of a state; nodes never change.
        self.node = game.root

    def current_player(self) -> int:
        """Return the seat to act, or one of OpenSpiel's numbers for chance and the end."""
        seat = self.node.to_act
        if seat >= 0:
            return seat
        return _CHANCE if seat == CHANCE else _TERMINAL

    def is_terminal(self) -> bool:
        """Return whether the match is over."""
        return self.node.is_over

    def _legal_actions(self, player: int) -> list[int]:
        return self.node.legal_actions()

    # OpenSpiel calls what begins with an underscore from C++, and has the following methods itself.
    # These here answer programs in Python at once; what is unusual is left to OpenSpiel.

    def is_chance_node(self) -> bool:
        """Return whether chance decides."""
        return self.node.to_act == CHANCE

    def legal_actions(self, *player: int) -> list[int]:
        """List what a player may do, by default the one to act."""
        node = self.node
        if not player or player[0] == node.to_act:
            return [] if node.is_over else node.legal_actions()
        if 0 <= player[0] < node.seats:
            return []
        return cast(list[int], super().legal_actions(*player))

    def observation_tensor(self, *player: int) -> list[float]:
        """Return the view of a player, by default of the one to act, as a tensor."""
        node = self.node
        seat = player[0] if player else node.to_act
        if node.draw or not 0 <= seat < node.seats:
            return cast(list[float], super().observation_tensor(*player))
        game = node.game
        found: list[float] = []
        for piece in _encoder(game, node.seats).pieces(game.view_of(node.state, seat)):
            found += _floats[piece]
        return found

    def rewards(self) -> list[float]:
        """Return the utility of every seat at the end, and 0 before."""
        return self.returns()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """List what may be drawn, with probabilities."""
        return self.node.outcomes()

    def _apply_action(self, action: int) -> None:
        self.node = self.node.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        game, draw = self.node.game, self.node.draw
        if player == _CHANCE:
            return f"{draw.label}: {draw.values[action]}" if draw else f"outcome {action}"
        return game.action_text(action)

    def returns(self) -> list[float]:
        """Return the utility of every seat."""
        if not self.node.is_over:
            return [0.0] * self.node.seats
        sides = self.node.game.sides(self.node.seats, self.node.state.parameters)
        return list(rewards_of(self.node.state.outcome().places, sides))

    def __str__(self) -> str:
        """Show the whole history as numbers: no other state has the same."""
        return f"{self.node.game.id} {' '.join(map(str, self.history()))}"


class _Floats(dict[bytes, list[float]]):
    """The numbers of each piece of a tensor; most pieces recur. `lru_cache` is slower."""

    def __missing__(self, piece: bytes) -> list[float]:
        if len(self) >= _MOST_PIECES:
            self.clear()
        found: list[float] = np.frombuffer(piece, np.float32).tolist()
        self[piece] = found
        return found


_MOST_PIECES = 20_000
_floats = _Floats()


@cache
def _encoder(game: AnyGame, seats: int) -> Any:
    return game.encoder(seats)


_CHANCE = int(pyspiel.PlayerId.CHANCE)
_TERMINAL = int(pyspiel.PlayerId.TERMINAL)


def resample(state: ArenaState, player: int, rng: Random | None = None) -> ArenaState:
    """Return a state that this player cannot tell from the given one.

    It is for `ISMCTSBot.set_resampler`, and made by `Game.world` from the player's view alone.
    """
    other: ArenaState = state.clone()
    other.node = state.node.redealt(player, rng or Random())
    return other


def _register(game: AnyGame) -> None:
    described = game_type(game)

    class Registered(ArenaGame):
        """The game under its name in OpenSpiel."""

        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            super().__init__(game, described, params)

    pyspiel.register_game(described, Registered)


for _game_id in GAME_IDS:
    _register(game_named(_game_id))
