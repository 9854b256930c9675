"""The tree of a game: every decision of a seat, and every card and die, is a node.

`tree_of` returns the root. At each node either a seat decides (`to_act` is its number), chance
does (`CHANCE`), or the match is over (`NOBODY`). Nodes never change: `after` returns the next one.

The engines know nothing of this: they draw from a source of chance in the middle of `apply`. Here
the source raises `Undecided` when it has no answer. The state before the action is kept, and the
action is repeated once chance has decided.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic

from arena.errors import BadInput, IllegalAction
from arena.games.core import S
from arena.games.refusals import check_action
from arena.learn.chance import ChanceDraw, OpenChance, Undecided
from arena.learn.history import MatchHistory

if TYPE_CHECKING:
    from random import Random

    from arena.games.registry import AnyGame

CHANCE = -2
"""The one to act at a node where chance decides."""


class _Match:
    """What all nodes of a tree have in common."""

    __slots__ = ("chance", "game", "parameters", "seats")

    # Parameters have a different type in each game: hence Any.
    def __init__(self, game: AnyGame, seats: int, parameters: Any) -> None:
        self.game = game
        self.seats = seats
        self.parameters = parameters
        self.chance = OpenChance()


class Node(Generic[S]):
    """A node of a game's tree. It never changes, so copies are the node itself."""

    __slots__ = (
        "_action",
        "_answers",
        "_history",
        "_legal",
        "_match",
        "_state",
        "_weights",
        "draw",
        "drawn",
        "to_act",
    )

    to_act: int
    """The seat to act, `CHANCE`, or `NOBODY` once the match is over."""
    draw: ChanceDraw | None
    """What chance decides here, if it does."""
    drawn: tuple[int, ...]
    """The outcomes of this draw so far."""

    def __init__(
        self,
        match: _Match,
        state: S | None,
        history: MatchHistory | None,
        *,
        action: int | None = None,
        answers: tuple[list[Any], ...] = (),
        draw: ChanceDraw | None = None,
        drawn: tuple[int, ...] = (),
    ) -> None:
        """Use `tree_of` and `after` instead."""
        self._match = match
        self._state = state
        self._action = action
        self._answers = answers
        self._history = history
        self.draw = draw
        self.drawn = drawn
        self.to_act = CHANCE if draw or state is None else state.to_act
        self._weights: list[tuple[int, int]] = []
        self._legal: list[int] | None = None

    @property
    def game(self) -> AnyGame:
        """The game."""
        return self._match.game

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self._match.seats

    @property
    def is_over(self) -> bool:
        """Return whether the match has ended."""
        return self.to_act == -1

    @property
    def state(self) -> S:
        """The state; there is none where chance decides."""
        if self._state is None or self.draw:
            raise BadInput("chance decides here: there is no state until it has")
        return self._state

    @property
    def latest_state(self) -> S | None:
        """The state, or the last one before chance was to act; None before the first deal."""
        return self._state

    @property
    def history(self) -> MatchHistory:
        """Everything that each seat has seen and done; there is none until the cards are dealt."""
        if self._history is None:
            raise BadInput("chance still deals: no seat has seen anything yet")
        return self._history

    def legal_actions(self) -> list[int]:
        """List what the one to act may do, ascending; outcomes if chance is to act."""
        if self._legal is None:
            if self.draw:
                self._legal = [index for index, _ in self._weighed(self.draw)]
            else:
                self._legal = list(self.state.legal_actions())
        return self._legal.copy()

    def outcomes(self) -> list[tuple[int, float]]:
        """List the outcomes of chance, ascending, with their probabilities."""
        if not self.draw:
            raise BadInput("nothing is drawn here: chance is not to act")
        weights = self._weighed(self.draw)
        total = sum([weight for _, weight in weights])
        return [(index, weight / total) for index, weight in weights]

    def sample(self, rng: Random) -> int:
        """Draw an outcome of chance."""
        if not self.draw:
            raise BadInput("nothing is drawn here: chance is not to act")
        weights = self._weighed(self.draw)
        target = rng.random() * sum(weight for _, weight in weights)
        for index, weight in weights:
            target -= weight
            if target < 0:
                return index
        return weights[-1][0]

    def _weighed(self, draw: ChanceDraw) -> list[tuple[int, int]]:
        """List the outcomes of chance with their weights; they are needed several times."""
        if not self._weights:
            self._weights = draw.weights(self.drawn)
        return self._weights

    def after(self, action: int) -> Node[S]:
        """Return the node that follows an action of the seat to act, or an outcome of chance."""
        check_action(action)
        action = int(action)
        if self.draw is None:
            return self._played(action, ())
        if action not in self.legal_actions():
            raise IllegalAction(f"{self.draw.label}: {action!r} cannot be drawn here")
        return self._decided(self.draw, (*self.drawn, action), self._action, self._answers)

    def _decided(
        self,
        draw: ChanceDraw,
        drawn: tuple[int, ...],
        action: int | None,
        answers: tuple[list[Any], ...],
    ) -> Node[S]:
        """Return the node after some outcomes of a draw.

        Even a certain outcome is a node: otherwise the length of a path would depend on what is
        hidden from some seats.
        """
        if len(drawn) < draw.size:
            return Node(
                self._match,
                self._state,
                self._history,
                action=action,
                answers=answers,
                draw=draw,
                drawn=drawn,
            )
        return self._played(action, (*answers, draw.items(drawn)))

    def _played(self, action: int | None, answers: tuple[list[Any], ...]) -> Node[S]:
        """Play an action, or deal if there is none, with these answers of chance."""
        match = self._match
        chance = match.chance
        chance.answers = [answer.copy() for answer in reversed(answers)]
        try:
            if action is None:
                state = match.game.start(match.seats, chance, match.parameters, recording=True)
            else:
                assert self._state is not None
                state = self._state.copy()
                state.events = []
                state.apply(action)
        except Undecided as undecided:
            return self._decided(undecided.draw, (), action, answers)
        finally:
            chance.answers = []
        if action is None or self._history is None:
            return Node(match, state, MatchHistory(match.game, state))
        assert self._state is not None
        return Node(match, state, self._history.after(self._state.to_act, action, state))

    def redealt(self, seat: int, rng: Random) -> Node[S]:
        """Sample another node that this seat cannot tell from this one; see `Game.redeal`."""
        match = self._match
        state = match.game.redeal(self.state, seat, rng)
        state.take_chance(match.chance)
        return Node(match, state, self.history.redealt(seat, state))

    def __copy__(self) -> Node[S]:
        """Return the node itself."""
        return self

    def __deepcopy__(self, memo: object) -> Node[S]:
        """Return the node itself."""
        return self


def tree_of(game: AnyGame, seats: int, parameters: Any = None) -> Node[Any]:
    """Return the root of a game's tree; parameters may be words, as those of `Game.start`."""
    parameters = game.read_parameters(parameters)
    game.check_seats(seats, parameters)
    return Node(_Match(game, seats, parameters), None, None)._played(None, ())
