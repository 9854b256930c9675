"""Does a game keep the contract that every game keeps?

`check_game(game)` plays random and stubborn matches at every player count and variant and raises
`BrokenGame` with a sentence at the first breach. It ships with the package, for whoever adds a
game: README.md tells how.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, is_dataclass
from enum import Enum
from hashlib import blake2b
from random import Random
from typing import Any

from arena.errors import ArenaError, BrokenGame, IllegalAction
from arena.games.core import State, outcome_form
from arena.games.randomness import seed_from
from arena.games.registry import AnyGame

LONGEST = 200_000
"""More decisions than any match may take, whatever the players do."""
VIEW_CHARACTERS = 4_000
"""More text than any view needs, however long the match has been."""
LOOK_EVERY = 16
"""On average one decision in this many is looked at closely, through every seat's eyes."""

Policy = Callable[[State, Random], int]
# States and views are opaque here, and each game has types of its own: hence Any below.


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to play a game: its seats and parameters."""

    game: AnyGame
    seats: int
    variant: str
    parameters: Any

    def __str__(self) -> str:
        """Name the setting in a complaint."""
        return f"{self.game.id} {self.variant} with {self.seats} seats"


def settings_of(game: AnyGame) -> Iterator[Setting]:
    """List every variant at every player count that it allows."""
    for variant, parameters in game.variants.items():
        for seats in game.seats_for(parameters):
            yield Setting(game, seats, variant, parameters)


def check_game(game: AnyGame, *, matches: int = 10) -> int:
    """Check the whole contract with this many matches a setting; return how many were played."""
    played = 0
    for setting in settings_of(game):
        _same_text(setting, "parameters", setting.parameters, game.parameters_form)
        for number in range(matches):
            check_match(setting, number)
        for policy in (lowest, highest):
            check_match(setting, 0, policy)
        played += matches + 2
    check_hash_independence(game)
    check_action_space(game)
    return played


def lowest(state: State, rng: Random) -> int:
    """Play stubbornly: always the first legal action."""
    return state.legal_actions()[0]


def highest(state: State, rng: Random) -> int:
    """Play stubbornly: always the last legal action."""
    return state.legal_actions()[-1]


def at_random(state: State, rng: Random) -> int:
    """Play any legal action."""
    return state.random_action(rng)


def check_match(
    setting: Setting, number: int, policy: Policy = at_random, *, look_every: int = LOOK_EVERY
) -> int:
    """Play match `number` of a setting, checking every law on the way; count its decisions."""
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
            _demand(decisions < LONGEST, f"no end after {LONGEST} decisions: a cap is missing")
            action = policy(state, rng)
            if rng.random() * look_every < 1 or not decisions:
                _look_closely(setting, state, rng)
            _demand(state.is_legal(action), f"action {action} was drawn but is not legal")
            state.apply(action)
            twin.apply(action)
            decisions += 1
            _demand(state.inventory() == inventory, "a card, token or die was lost or made")
        _demand(twin.truth() == state.truth(), "the same seed and actions gave another match")
        _check_end(setting, state, rng)
    except IllegalAction as error:
        raise BrokenGame(f"{where}{decisions}: refuses its own action: {error}") from error
    except BrokenGame as error:
        raise BrokenGame(f"{where}{decisions}: {error}") from error
    return decisions


def _look_closely(setting: Setting, state: Any, rng: Random) -> None:
    game = setting.game
    actions = state.legal_actions()
    _demand(0 <= state.to_act < setting.seats, f"seat {state.to_act} is to act")
    _demand(bool(actions), "the seat to act has no legal action")
    _demand(actions == sorted(set(actions)), "legal actions are not ascending")
    _demand(0 <= actions[0] and actions[-1] < game.action_count, "an action out of its space")
    only = actions[0] if len(actions) == 1 else None
    _demand(state.only_action() == only, "the only legal action is another")
    legal = set(actions)
    _demand(state.random_action(rng) in legal, "a random action is not legal")
    for action in actions[:: 1 + len(actions) // 8]:
        _demand(state.is_legal(action), f"{action} is listed but not legal")
        _same_text(setting, "action", action, game.action_form)
    _check_refusals(game, state, legal, rng)
    _check_copy(state, rng)
    for seat in range(setting.seats):
        check_view(setting, state, seat, rng)


def _check_refusals(game: AnyGame, state: Any, legal: set[int], rng: Random) -> None:
    odd = [-1, game.action_count, 10**30, -(10**30), int(rng.random() * game.action_count)]
    before = state.truth()
    other = game.redeal(state, state.to_act, rng)
    for action in odd:
        if action in legal:
            continue
        _demand(not state.is_legal(action), f"{action} is legal but not listed")
        refusal = _refusal(state, action)
        _demand("\n" in refusal, "the refusal does not show the position")
        _demand(refusal == _refusal(other, action), "a refusal tells what the seat cannot know")
    _demand(state.truth() == before, "a refused action changed the state")


def _refusal(state: Any, action: int) -> str:
    try:
        state.apply(action)
    except IllegalAction as error:
        return str(error)
    raise BrokenGame(f"the illegal action {action} was taken")


def _check_copy(state: Any, rng: Random) -> None:
    before = state.truth()
    events = len(state.events)
    copy = state.copy()
    _demand(copy.truth() == before, "a copy differs from its original")
    for _ in range(12):
        if copy.is_over:
            break
        copy.apply(copy.random_action(rng))
    _demand(state.truth() == before, "playing on a copy changed the original")
    _demand(len(state.events) == events, "a copy tells its original's listeners")


def check_view(setting: Setting, state: Any, seat: int, rng: Random) -> None:
    """Check one seat's view: plain, bounded, readable, and alike in a redealt truth."""
    game = setting.game
    view = game.view_of(state, seat)
    _demand(_is_plain(view), f"seat {seat}'s view holds more than plain values")
    _same_text(setting, "view", view, game.view_form)
    size = len(game.view_form.show(view))
    _demand(size < VIEW_CHARACTERS, f"seat {seat}'s view has grown to {size} characters")
    mine = state.legal_actions() if seat == state.to_act else []
    _demand(game.legal_actions(view) == mine, f"seat {seat}'s view gives other legal actions")
    other = game.redeal(state, seat, rng)
    complaint = difference(game, state, other, seat)
    _demand(complaint is None, f"after a redeal, {complaint}")
    _demand(other.inventory() == state.inventory(), "a redeal lost or made a card")


def difference(
    game: AnyGame,
    state: Any,
    other: Any,
    seat: int,
    view_of: Callable[[Any, int], Any] | None = None,
) -> str | None:
    """Tell what a seat could tell two truths apart by, if anything."""
    view_of = view_of or game.view_of
    before, after = view_of(state, seat), view_of(other, seat)
    if before != after:
        fields = [
            name for name, one, two in zip(before._fields, before, after, strict=True) if one != two
        ]
        return f"seat {seat} sees another {' and '.join(fields)}"
    if state.to_act != other.to_act:
        return f"seat {other.to_act} is to act, not {state.to_act}"
    if seat == state.to_act and state.legal_actions() != other.legal_actions():
        return f"seat {seat} has other legal actions"
    return None


def _check_end(setting: Setting, state: Any, rng: Random) -> None:
    game = setting.game
    _demand(state.legal_actions() == [], "a finished match has legal actions")
    for action in (0, game.action_count - 1):
        _demand(not state.is_legal(action), "a finished match has legal actions")
        _refusal(state, action)
    outcome = state.outcome()
    _same_text(setting, "outcome", outcome, outcome_form)
    _demand(len(outcome.places) == len(outcome.scores) == setting.seats, "a seat has no result")
    _demand(min(outcome.places) == 1, "nobody is first")
    _demand(max(outcome.places) <= setting.seats, "a place is beyond the last")
    _demand(bool(state.events), "the match has no events")
    for event in state.events:
        _same_text(setting, "event", event, game.event_form)
        _demand(_is_plain(event), f"{event} holds more than plain values")
    for seat in range(setting.seats):
        check_view(setting, state, seat, rng)


def check_action_space(game: AnyGame) -> None:
    """Check that every index of the action space has a text of its own that parses back."""
    texts = {game.action_text(action) for action in range(game.action_count)}
    if len(texts) != game.action_count:
        raise BrokenGame(f"{game.id}: two actions are written alike")
    for action in range(game.action_count):
        if game.parse_action(game.action_text(action)) != action:
            raise BrokenGame(f"{game.id}: action {action} does not read back")


def fingerprint(game: AnyGame) -> str:
    """Hash one match of every setting, with every seat's view, as text."""
    hashed = blake2b(digest_size=16)
    for setting in settings_of(game):
        rng = Random(1)
        state = game.start(setting.seats, seed_from(1), setting.parameters, recording=True)
        for _ in range(200):
            if state.is_over:
                break
            for seat in range(setting.seats):
                hashed.update(game.view_form.show(game.view_of(state, seat)).encode())
                other = game.redeal(state, seat, rng)
                hashed.update(repr(other.truth()).encode())
            hashed.update(repr(state.legal_actions()).encode())
            state.apply(state.random_action(rng))
        for event in state.events:
            hashed.update(game.event_form.show(event).encode())
    return hashed.hexdigest()


def check_hash_independence(game: AnyGame) -> None:
    """Check that matches do not depend on Python's hash seed, by playing under two others.

    The game must be the `GAME` of an importable module.
    """
    program = (
        "import importlib, sys; from arena.games.conformance import fingerprint; "
        "print(fingerprint(importlib.import_module(sys.argv[1]).GAME))"
    )
    command = [sys.executable, "-c", program, type(game).__module__]
    prints = set()
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode:
            raise BrokenGame(f"{game.id} does not play in a process of its own: {done.stderr}")
        prints.add(done.stdout)
    if len(prints) != 1:
        raise BrokenGame(f"{game.id}: matches depend on PYTHONHASHSEED")


def _is_plain(value: object) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return isinstance(value, int | str | Enum) or value is None or is_dataclass(value)


def _same_text(setting: Setting, what: str, value: Any, form: Any) -> None:
    text = form.show(value)
    try:
        back = form.read(text)
    except ArenaError as error:
        raise BrokenGame(f"its {what} does not read back: {error}\n{text}") from error
    _demand(back == value, f"its {what} reads back as something else:\n{text}")


def _demand(truth: bool, complaint: str) -> None:
    if not truth:
        raise BrokenGame(complaint)
