"""The contract of a game: states, views and what all games have in common.

Three types keep hidden information hidden. A `State` is the whole truth and stays with the referee.
A view is exactly what one seat may know, and the only one of the three that is sent to a bot. An
`Outcome` is the result. `Game` ties them together; all code that plays, stores or shows a match
uses it.

Actions are plain integers: indices into the game's fixed action space, the same for every match of
the game, so that a learning tool can use them as they are. `Game.action_text` makes them readable.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from arena.errors import BadInput, BadParameter, BadText
from arena.games.fields import Fields
from arena.games.notation import Form, integer, lines, pairs, tagged
from arena.games.outcome import Outcome
from arena.games.randomness import Chance, Seed, Source, seed_from
from arena.games.refusals import check_action, check_seat

if TYPE_CHECKING:
    from random import Random

    from arena.games.explanation import Explanation
    from arena.games.tensors import Encoder

NOBODY = -1
"""The seat to act when the match is over."""
USUAL_TIE_RATE = 0.1
"""The probability that neighbours in the final order tie, in a game that does not say."""


class HiddenCards(NamedTuple):
    """The cards of a state that at least one seat cannot see, in the game's notation."""

    hands: tuple[tuple[str, ...], ...]
    """The cards in each seat's hand, ascending; empty if the game has no hands."""
    face_down: tuple[str, ...]
    """The face-down cards in nobody's hand; each game defines their order."""


class State(Fields, ABC):
    """The whole truth of one match at one moment.

    `apply` is the only method that changes it; `take_chance` changes what is still undecided.
    Everything automatic between two decisions (dealing, rolling, scoring) is done by the time
    `apply` returns. A class that annotates its fields and lists them in `__slots__` can be copied
    quickly; of others, everything is copied.
    """

    seats: int
    to_act: int
    """The seat to act next; `NOBODY` once the match is over."""
    events: list[NamedTuple] | None
    """All public events, oldest first; None if they are not recorded."""
    __slots__ = tuple(__annotations__)

    parameters: Any
    """The parameters of the match, whose type is the game's own."""
    _not_copied: ClassVar[tuple[str, ...]] = ("events",)
    _not_compared: ClassVar[tuple[str, ...]] = ("events",)

    @abstractmethod
    def legal_actions(self) -> Sequence[int]:
        """List the legal actions of the seat to act in ascending order; none when it is over."""

    def is_legal(self, action: int) -> bool:
        """Return whether the seat to act may play this action now."""
        check_action(action)
        return action in self.legal_actions()

    def only_action(self) -> int | None:
        """Return the legal action if there is just one; None if the seat to act has a choice."""
        actions = self.legal_actions()
        return actions[0] if len(actions) == 1 else None

    def random_action(self, rng: Random) -> int:
        """Draw one legal action, each as likely as any other."""
        return rng.choice(self.legal_actions())

    @abstractmethod
    def apply(self, action: int) -> None:
        """Play this action, or raise `IllegalAction` and change nothing."""

    def copy(self) -> Self:
        """Return an independent state that records no events."""
        # Right for every state, but slow: our games know better what has to be copied.
        from copy import deepcopy

        events, self.events = self.events, None
        try:
            return deepcopy(self)
        finally:
            self.events = events

    def take_chance(self, chance: Chance) -> None:
        """Take everything that is still undecided from this source of chance."""

    @abstractmethod
    def outcome(self) -> Outcome:
        """Return the result; only a match that is over has one."""

    def scores(self) -> tuple[int, ...]:
        """Return what each seat would score if the match ended now."""
        # All our games can count at any time; a game that cannot overrides this.
        return self.outcome().scores

    def inventory(self) -> tuple[int, ...]:
        """List every card, token and die, wherever it is, in a fixed order: this never changes."""
        return ()

    @property
    def is_over(self) -> bool:
        """Return whether the match has ended."""
        return self.to_act < 0

    @property
    def game(self) -> Any:  # each game has its own types
        """The game: `GAME` in the module of the state's class, or in the package around it."""
        for cls in type(self).__mro__:
            for name in (cls.__module__, cls.__module__.rpartition(".")[0]):
                game = getattr(sys.modules.get(name), "GAME", None)
                if isinstance(game, Game):
                    return game
        raise BadInput(f"no GAME is beside the class {type(self).__name__}")

    def __str__(self) -> str:
        """Draw the position as the seat to act sees it, followed by all cards that are hidden."""
        # Imported here: every bot imports this module, and hardly any prints a state.
        from arena.games.drawn import draw_state

        return draw_state(self)

    def _repr_html_(self) -> str:
        """Draw the position with all cards for a notebook."""
        from arena.games.drawn import state_as_html

        return state_as_html(self)


P = TypeVar("P")
S = TypeVar("S", bound=State)
V = TypeVar("V", bound=NamedTuple)
E = TypeVar("E", bound=NamedTuple)


class Game(ABC, Generic[P, S, V, E]):
    """The rules of one game, with its views and its notation. Instances hold no state."""

    id: ClassVar[str]
    title: ClassVar[str]
    seat_counts: ClassVar[tuple[int, ...]]
    small_seat_counts: ClassVar[tuple[int, ...]] = ()
    """Player counts that only matches smaller than printed allow."""
    score_word: ClassVar[str]
    """What a score counts, for headings: "trios", "paws"."""
    aim: ClassVar[str] = ""
    """How the game is played and won, in a few sentences for those who watch it."""
    action_count: ClassVar[int]
    """The size of the action space: actions are 0 to this, exclusive."""

    tie_rates: ClassVar[Mapping[int, float]] = {}
    """The probability that neighbours in the final order tie, by number of seats.

    The rating model needs it for equally strong bots. These values are measured among bots that
    can play: the game's greedy bot in all seats (`scripts/bench ties`), the mean over the game's
    variants. There were 600 matches of Trio and MEOW for each variant and number of seats, 150 of
    Jackal & High and 100 of Life is Life. With `search` in half of the seats, 150 matches at four
    seats agreed within their errors: 0.31 in simple Trio (greedy alone 0.35), 0.042 in MEOW
    (0.034), 0.18 in standard Life is Life (0.17).
    The minimum is 0.01: two bots may tie by faulting, and if a tie counted as almost impossible it
    would outweigh every other result. Where a game gives none, `USUAL_TIE_RATE` is used.
    """
    deal_events: ClassVar[tuple[type, ...]] = ()
    """The events after which a hand may hold cards that no event has named."""

    variants: Mapping[str, P]
    """The named parameter sets, the default first; each has a golden playthrough."""
    view_type: type[V]
    """The record of what one seat may know; `arena.games.notation` says how to declare its fields.

    The first four are `parameters`, `seats`, `seat` and `to_act`.
    """
    event_types: Mapping[str, type[E]]
    """The records of public events, each by the word that its text begins with."""
    action_form: Form[int] = integer

    def start(
        self,
        seats: int,
        seed: Seed | int | Chance,
        parameters: P | str | None = None,
        *,
        recording: bool = False,
    ) -> S:
        """Deal a new match; with `recording`, its state keeps the public events.

        The seed is a number, or 32 bytes, or any source of chance. The parameters are those of the
        game, or words such as "expert" or "expert vases=once"; without them, the default variant is
        played.
        """
        # Bytes first: to ask whether something is a `Chance` takes longer.
        if isinstance(seed, bytes):
            chance: Chance = Source(seed)
        else:
            chance = seed if isinstance(seed, Chance) else Source(seed_from(seed))
        parameters = self.read_parameters(parameters)
        self.check_seats(seats, parameters)
        return self._start(seats, chance, parameters, recording=recording)

    def read_parameters(self, given: P | str | None) -> P:
        """Return the parameters that words or None stand for; refuse anything else."""
        if given is None:
            return self.default_parameters
        if isinstance(given, type(self.default_parameters)):
            return given
        if not isinstance(given, str):
            raise BadParameter(
                f"parameters of {self.id} cannot be {given!r}: pass the name of a variant "
                f"({', '.join(self.variants)}), or arena.games.{self.id}.parameters.Parameters"
            )
        # Imported here because the registry imports this module.
        from arena.games.registry import parameters_from

        parameters: P = parameters_from(self, given)
        return parameters

    @cached_property
    def parameters_form(self) -> Form[P]:
        """Parameters as text."""
        return pairs(f"a match of {self.id}", type(self.default_parameters))

    @cached_property
    def view_form(self) -> Form[V]:
        """Views as text."""
        return lines("a view", self.view_type)

    @cached_property
    def event_form(self) -> Form[E]:
        """Events as text."""
        return tagged("an event", **self.event_types)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the cached forms: they cannot be pickled."""
        return {}

    @property
    def default_parameters(self) -> P:
        """The parameters of a match unless it sets others."""
        return next(iter(self.variants.values()))

    def settings(self, parameters: P) -> dict[str, str]:
        """Return every parameter's name and its value as text."""
        words = self.parameters_form.show(parameters).split()
        return {name: value for name, _, value in (word.partition("=") for word in words)}

    def seats_for(self, parameters: P) -> tuple[int, ...]:
        """List the player counts that these parameters allow."""
        return self.seat_counts

    def sides(self, seats: int, parameters: P) -> tuple[int, ...]:
        """Return the side of each seat: one per seat, or one per team."""
        return tuple(range(seats))

    def tie_rate(self, seats: int, parameters: P) -> float:
        """Return the probability that two neighbouring sides tie."""
        return self.tie_rates.get(seats, USUAL_TIE_RATE)

    def check_seats(self, seats: int, parameters: P) -> None:
        """Refuse a player count that the rules do not allow."""
        if not hasattr(seats, "__index__"):
            raise BadParameter(f"the number of seats must be a whole number, not {seats!r}")
        allowed = self.seats_for(parameters)
        if seats not in allowed:
            counts = ", ".join(map(str, allowed))
            raise BadParameter(f"{self.id} cannot seat {seats}: it takes {counts} players here")

    def view_of(self, state: S, seat: int) -> V:
        """Return exactly what this seat may know now."""
        # The checks cost next to nothing if all is well: the referee calls this at every decision.
        try:
            if type(seat) is not int or not 0 <= seat < state.seats:
                check_seat(seat, state.seats)
            return self._view_of(state, seat)
        except AttributeError:
            if isinstance(state, State):
                raise
            raise BadInput(
                f"a view is made of a state, which `start` returns, not of {type(state).__name__}"
            ) from None

    def encoder(self, seats: int) -> Encoder[V]:
        """Return what writes views of a match at this size of table as tensors, for learning."""
        if seats not in self.small_seat_counts + self.seat_counts:
            counts = ", ".join(map(str, self.seat_counts))
            raise BadParameter(f"{self.id} cannot seat {seats}: it takes {counts} players")
        if module := self._module("tensor"):
            encoder: Encoder[V] = module.encoder(seats)
            return encoder
        from arena.games.plain_tensor import PlainEncoder

        return PlainEncoder(self, seats)

    def _module(self, name: str) -> Any:
        """Import a module beside the game, of its own type; return None if it has none.

        It is imported only when it is needed: every bot imports its game, and few draw it.
        """
        from importlib import import_module

        name = f"{type(self).__module__}.{name}"
        try:
            return import_module(name)
        except ModuleNotFoundError as error:
            # Something that the module imports may be missing, too.
            if error.name not in (name, type(self).__module__):
                raise
            return None

    def redeal(self, state: S, seat: int, rng: Random) -> S:
        """Sample another state that this seat cannot tell from the true one.

        It is built from the seat's view alone, so it cannot reveal more than the seat knows.
        """
        return self.world(self.view_of(state, seat), rng)

    @abstractmethod
    def _start(self, seats: int, chance: Chance, parameters: P, *, recording: bool) -> S:
        """Deal a new match for a checked number of seats."""

    @abstractmethod
    def _view_of(self, state: S, seat: int) -> V:
        """Return what a seat of this state may know."""

    @abstractmethod
    def world(self, view: V, rng: Random) -> S:
        """Sample a state in which the view's seat sees exactly this view."""

    # The type of views is the game's own; all of them have a seat and say who is to act.
    def legal_actions(self, view: Any) -> Sequence[int]:
        """List the legal actions of the view's seat, ascending; none if it is not its turn.

        They are integers with properties, in a type of the game's own.
        """
        if view.seat != view.to_act:
            return []
        from random import Random

        # They follow from the view, so they are the same in every world that fits it.
        return self.world(view, Random(0)).legal_actions()

    def action_text(self, action: int) -> str:
        """Write an action as text."""
        if not hasattr(action, "__index__") or not 0 <= action < self.action_count:
            most = self.action_count - 1
            raise BadInput(f"{self.id} has no action {action!r}: actions are numbers, 0 to {most}")
        return self.action_form.show(action)

    def parse_action(self, text: str) -> int:
        """Read an action that `action_text` could have written; letter case does not matter."""
        if not isinstance(text, str):
            example = self.action_text(0)
            raise BadText(f"{text!r} is not the text of an action, such as {example!r}")
        return self.action_form.read(text)

    def why_illegal(self, view: Any, action: int) -> str:
        """Say why the seat to act, whose view it is, may not play this action.

        The function `reason` in the game's module `narration` knows why, and `verb` the word for an
        action whose text does not begin with one, if they exist.
        """
        module = self._module("narration")
        verb = module.verb(action) if hasattr(module, "verb") else "play"
        if 0 <= action < self.action_count:
            words = f"{verb} {self.action_text(action)}".lstrip()
        else:
            words = f"{verb or 'do'} {action}"
        if view.to_act < 0:
            return f"nobody may {words}: the match is over"
        reason = (
            module.reason(view, action) if hasattr(module, "reason") else "it is no legal action"
        )
        return f"seat {view.to_act} may not {words}: {reason}"

    def hidden_cards(self, state: S) -> HiddenCards:
        """Return the cards that not every seat can see."""
        return HiddenCards(((),) * state.seats, ())

    def narrate(self, event: E, names: Sequence[str]) -> str:
        """Describe an event in plain text, with the players' names by seat.

        The function of this name in the game's module `narration` does it, if there is one.
        """
        module = self._module("narration")
        sentence: str = module.narrate(event, names) if module else self.event_form.show(event)
        return sentence

    def explain(self, state: S, names: Sequence[str], last: Set[int] = frozenset()) -> Explanation:
        """Explain the end of a match: why who is first, and what the scores consist of.

        The state is over and has recorded its events. `last` are the seats that are last whatever
        they scored, because they or their partners faulted; at least one seat is not among them.
        The function of this name in the game's module `narration` does it, if there is one.
        """
        if module := self._module("narration"):
            explanation: Explanation = module.explain(state, names, last)
            return explanation
        # Imported here: every bot imports this module, and hardly any explains a match.
        from arena.games.explanation import Explanation, scores_sentence

        word = self.score_word
        sentence = scores_sentence(state.outcome(), names, last, word=word, one=word)
        rows = tuple((str(score),) for score in state.outcome().scores)
        return Explanation(sentence, (word,), rows)

    def rules(self) -> str:
        """Return the game's numbered rules, in Markdown.

        They are in the file RULES.md of the game's package; without one, its docstring is shown.
        """
        # Imported here because every bot imports this module and none needs the rules.
        from importlib.resources import files

        module = sys.modules[type(self).__module__]
        if hasattr(module, "__path__"):
            page = files(module).joinpath("RULES.md")
            if page.is_file():
                return page.read_text(encoding="utf-8")
        return f"# {self.title}\n\n{module.__doc__ or 'No rules are written down.'}"
