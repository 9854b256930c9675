"""Check that a game keeps the contract that all games share.

`check_game(game)` plays random and stubborn matches at every player count and variant, and raises
`BrokenGame` with a sentence at the first violation. It ships with the package, for anyone who adds
a game; README.md explains how.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from hashlib import blake2b
from random import Random
from typing import Any

from arena.errors import ArenaError, BrokenGame, IllegalAction
from arena.games.core import State
from arena.games.notation import private_fields
from arena.games.outcome import outcome_form
from arena.games.parameters import BaseParameters
from arena.games.randomness import seed_from
from arena.games.registry import AnyGame

MAX_DECISIONS = 200_000
"""Upper limit of decisions in a match, whatever the players do."""
MAX_VIEW_CHARACTERS = 4_000
"""Upper limit of characters in a view as text, however long the match has been."""
CHECK_EVERY = 16
"""One decision in this many, on average, is checked closely, with every seat's view."""
REFUSAL_SAMPLES = 16
"""Illegal actions tried at each close check."""

Policy = Callable[[State, Random], int]
# States and views have different types in each game: hence Any below.


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to play a game: its seats and parameters."""

    game: AnyGame
    seats: int
    variant: str
    parameters: Any

    def __str__(self) -> str:
        """Return the setting's name, for messages."""
        return f"{self.game.id} {self.variant} with {self.seats} seats"


def settings_of(game: AnyGame) -> Iterator[Setting]:
    """List every variant at every player count that it allows."""
    for variant, parameters in game.variants.items():
        for seats in game.seats_for(parameters):
            yield Setting(game, seats, variant, parameters)


def check_game(game: AnyGame, *, matches: int = 10) -> int:
    """Check the whole contract, with this many matches for each setting; return the total."""
    played = 0
    for setting in settings_of(game):
        _check_round_trip(setting, "parameters", setting.parameters, game.parameters_form)
        for number in range(matches):
            check_match(setting, number)
        for policy in (lowest, highest):
            check_match(setting, 0, policy)
        played += matches + 2
    check_hash_independence(game)
    check_action_space(game)
    return played


def lowest(state: State, rng: Random) -> int:
    """Always play the first legal action."""
    return state.legal_actions()[0]


def highest(state: State, rng: Random) -> int:
    """Always play the last legal action."""
    return state.legal_actions()[-1]


def at_random(state: State, rng: Random) -> int:
    """Play a random legal action."""
    return state.random_action(rng)


def check_match(
    setting: Setting, number: int, policy: Policy = at_random, *, check_every: int = CHECK_EVERY
) -> int:
    """Play match `number` of a setting, checking it throughout; return its number of decisions."""
    game = setting.game
    rng = Random(number)
    seed = seed_from(number)
    state = game.start(setting.seats, seed, setting.parameters, recording=True)
    twin = game.start(setting.seats, seed, setting.parameters)
    inventory = state.inventory()
    decisions = 0
    where = f"{setting}, match {number}, decision "
    try:
        while not state.is_over:
            _require(
                decisions < MAX_DECISIONS,
                f"no end after {MAX_DECISIONS} decisions: a cap is missing",
            )
            action = policy(state, rng)
            if rng.random() * check_every < 1 or not decisions:
                _check_position(setting, state, rng)
            _require(state.is_legal(action), f"action {action} was drawn but is not legal")
            state.apply(action)
            twin.apply(action)
            decisions += 1
            _require(state.inventory() == inventory, "a card, token or die appeared or disappeared")
        _require(twin.truth() == state.truth(), "the same seed and actions gave a different match")
        _check_end(setting, state, rng)
    except IllegalAction as error:
        raise BrokenGame(f"{where}{decisions}: refuses its own action: {error}") from error
    except BrokenGame as error:
        raise BrokenGame(f"{where}{decisions}: {error}") from error
    return decisions


def _check_position(setting: Setting, state: Any, rng: Random) -> None:
    game = setting.game
    actions = state.legal_actions()
    _require(0 <= state.to_act < setting.seats, f"seat {state.to_act} is to act")
    _require(bool(actions), "the seat to act has no legal action")
    _require(actions == sorted(set(actions)), "legal actions are not ascending")
    _require(
        0 <= actions[0] and actions[-1] < game.action_count, "an action is outside the action space"
    )
    only = actions[0] if len(actions) == 1 else None
    _require(state.only_action() == only, "only_action() disagrees with legal_actions()")
    legal = set(actions)
    _require(state.random_action(rng) in legal, "a random action is not legal")
    for action in actions[:: 1 + len(actions) // 8]:
        state.copy().apply(action)
        _check_round_trip(setting, "action", action, game.action_form)
    _check_refusals(game, state, legal, rng)
    _check_copy(state, rng)
    _require(len(state.scores()) == setting.seats, "a seat has no score during the match")
    for seat in range(setting.seats):
        check_view(setting, state, seat, rng)


def _check_refusals(game: AnyGame, state: Any, legal: set[int], rng: Random) -> None:
    space = range(game.action_count)
    for action in space:
        is_legal = state.is_legal(action)
        _require(is_legal or action not in legal, f"{action} is listed but not legal")
        _require(not is_legal or action in legal, f"{action} is legal but not listed")
    before = state.truth()
    # `apply` refuses what `is_legal` refuses. Only a sample: each refusal renders the position.
    illegal = [action for action in space if action not in legal]
    for action in rng.sample(illegal, min(len(illegal), REFUSAL_SAMPLES)):
        _refusal_of(state, action)
    odd = [-1, game.action_count, 10**30, -(10**30), *rng.sample(illegal, min(len(illegal), 1))]
    other = game.redeal(state, state.to_act, rng)
    for action in odd:
        _require(not state.is_legal(action), f"{action} is legal but not in the action space")
        refusal = _refusal_of(state, action)
        _require("\n" in refusal, "the refusal does not show the position")
        _require(
            refusal == _refusal_of(other, action), "a refusal reveals what the seat cannot know"
        )
    _require(state.truth() == before, "a refused action changed the state")


def _refusal_of(state: Any, action: int) -> str:
    try:
        state.apply(action)
    except IllegalAction as error:
        return str(error)
    raise BrokenGame(f"the illegal action {action} was taken")


def _check_copy(state: Any, rng: Random) -> None:
    before = state.truth()
    events = len(state.events)
    copy = state.copy()
    _require(copy.truth() == before, "a copy differs from its original")
    for _ in range(12):
        if copy.is_over:
            break
        copy.apply(copy.random_action(rng))
    _require(state.truth() == before, "playing on a copy changed the original")
    _require(len(state.events) == events, "a copy records events in its original")


def check_view(setting: Setting, state: Any, seat: int, rng: Random) -> None:
    """Check one seat's view: plain, bounded, readable, public but for its private fields.

    It is the same after a redeal.
    """
    game = setting.game
    view = game.view_of(state, seat)
    _require(_is_plain(view), f"seat {seat}'s view holds more than plain values")
    _check_round_trip(setting, "view", view, game.view_form)
    size = len(game.view_form.show(view))
    _require(size < MAX_VIEW_CHARACTERS, f"seat {seat}'s view has grown to {size} characters")
    neighbours = game.view_of(state, (seat + 1) % setting.seats)
    for name in set(view._fields) - {"seat", *private_fields(game.view_type)}:
        is_same = getattr(view, name) == getattr(neighbours, name)
        _require(is_same, f"seats see different {name}, a field that is not marked Private")
    mine = state.legal_actions() if seat == state.to_act else []
    _require(game.legal_actions(view) == mine, f"seat {seat}'s view gives different legal actions")
    other = game.redeal(state, seat, rng)
    complaint = difference(game, state, other, seat)
    _require(complaint is None, f"after a redeal, {complaint}")
    _require(other.inventory() == state.inventory(), "a redeal added or lost a card")


def difference(
    game: AnyGame,
    state: Any,
    other: Any,
    seat: int,
    view_of: Callable[[Any, int], Any] | None = None,
) -> str | None:
    """Describe how a seat could tell two states apart; None if it cannot."""
    view_of = view_of or game.view_of
    before, after = view_of(state, seat), view_of(other, seat)
    if before != after:
        fields = [
            name for name, one, two in zip(before._fields, before, after, strict=True) if one != two
        ]
        return f"seat {seat} sees different {' and '.join(fields)}"
    if state.to_act != other.to_act:
        return f"seat {other.to_act} is to act, not {state.to_act}"
    if seat == state.to_act and state.legal_actions() != other.legal_actions():
        return f"seat {seat} has different legal actions"
    return None


def _check_end(setting: Setting, state: Any, rng: Random) -> None:
    game = setting.game
    _require(state.legal_actions() == [], "a finished match has legal actions")
    for action in (0, game.action_count - 1):
        _require(not state.is_legal(action), "a finished match has legal actions")
        _refusal_of(state, action)
    outcome = state.outcome()
    _check_round_trip(setting, "outcome", outcome, outcome_form)
    _require(len(outcome.places) == len(outcome.scores) == setting.seats, "a seat has no result")
    _require(state.scores() == outcome.scores, "the last scores are not those of the outcome")
    _require(min(outcome.places) == 1, "nobody is first")
    _require(max(outcome.places) <= setting.seats, "a place is greater than the number of seats")
    _require(bool(state.events), "the match has no events")
    for event in state.events:
        _check_round_trip(setting, "event", event, game.event_form)
        _require(_is_plain(event), f"{event} holds more than plain values")
    for seat in range(setting.seats):
        check_view(setting, state, seat, rng)
    _check_explanation(setting, state)


def _check_explanation(setting: Setting, state: Any) -> None:
    """Check that the end is explained, even if a fault puts the first side last."""
    game = setting.game
    names = tuple(f"seat-{seat}" for seat in range(setting.seats))
    sides = game.sides(setting.seats, setting.parameters)
    places = state.outcome().places
    before = state.truth()
    for lost in (None, sides[places.index(1)]):
        last = {seat for seat, side in enumerate(sides) if side == lost}
        sentence, columns, rows = game.explain(state, names, last)
        _require(sentence.endswith("."), "the end is not explained in a sentence")
        _require(len(rows) == setting.seats, "the explanation of the end lacks a seat")
        _require(
            all(len(row) == len(columns) for row in rows),
            "a row of the explanation does not have its columns",
        )
        best = min(place for seat, place in enumerate(places) if seat not in last)
        for seat, place in enumerate(places):
            if place == best and seat not in last:
                _require(names[seat] in sentence, f"the explanation does not name seat {seat}")
    _require(state.truth() == before, "explaining the end changed the state")


def check_action_space(game: AnyGame) -> None:
    """Check that every action has a unique text that parses back."""
    texts = {game.action_text(action) for action in range(game.action_count)}
    if len(texts) != game.action_count:
        raise BrokenGame(f"{game.id}: two actions have the same text")
    for action in range(game.action_count):
        if game.parse_action(game.action_text(action)) != action:
            raise BrokenGame(f"{game.id}: action {action} does not read back")


def fingerprint(game: AnyGame) -> str:
    """Hash one match of every setting, with every seat's view, as text."""
    hashed = blake2b(digest_size=16)
    for setting in settings_of(game):
        rng = Random(1)
        state = game.start(setting.seats, seed_from(1), setting.parameters, recording=True)
        for decision in range(200):
            if state.is_over:
                break
            for seat in range(setting.seats):
                hashed.update(game.view_form.show(game.view_of(state, seat)).encode())
                if decision % 8 == 0:
                    other = game.redeal(state, seat, rng)
                    hashed.update(repr(other.truth()).encode())
            hashed.update(repr(state.legal_actions()).encode())
            state.apply(state.random_action(rng))
        for event in state.events:
            hashed.update(game.event_form.show(event).encode())
    return hashed.hexdigest()


def check_hash_independence(game: AnyGame) -> None:
    """Check that matches do not depend on Python's hash seed, by playing with two different ones.

    The game must be the `GAME` of an importable module.
    """
    program = (
        "import importlib, sys; from arena.games.conformance import fingerprint; "
        "print(fingerprint(importlib.import_module(sys.argv[1]).GAME))"
    )
    command = [sys.executable, "-c", program, type(game).__module__]
    fingerprints = set()
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode:
            raise BrokenGame(f"{game.id} does not play in another process: {done.stderr}")
        fingerprints.add(done.stdout)
    if len(fingerprints) != 1:
        raise BrokenGame(f"{game.id}: matches depend on PYTHONHASHSEED")


def _is_plain(value: object) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return isinstance(value, int | str | Enum | BaseParameters | None)


def _check_round_trip(setting: Setting, what: str, value: Any, form: Any) -> None:
    text = form.show(value)
    try:
        back = form.read(text)
    except ArenaError as error:
        raise BrokenGame(f"its {what} does not read back: {error}\n{text}") from error
    _require(back == value, f"its {what} reads back as something else:\n{text}")


def _require(truth: bool, complaint: str) -> None:
    if not truth:
        raise BrokenGame(complaint)
