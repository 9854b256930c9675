"""Prompts and answers: what a model reads, and how its move is read.

A prompt is a function of the seat's view, the public events, the rules and the templates. Other
players are named by their seats only.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from arena.errors import ArenaError, BadText
from arena.games.drawn import draw_view
from arena.games.registry import AnyGame
from arena.models.config import BadModel, ModelConfig
from arena.text import plain

_MOST_LISTED = 300
"""Legal moves in a prompt; Jackal & High may have thousands."""
_ANSWER_CHARACTERS = 64 * 1024
_EXCERPT = 120


class BadAnswer(ArenaError):
    """An answer that names no move; the message says why."""


class Move(NamedTuple):
    """What a model has answered."""

    action: int
    note: str


class Prompts:
    """Write the prompts of one model from its templates."""

    def __init__(self, config: ModelConfig) -> None:
        """Compile the templates; a mistake in one is an error."""
        # Imported here: every command imports this module, and few ask a model.
        from jinja2 import TemplateError
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        self._lists_legal = config.legal == "listed"
        self._failures = (TemplateError, TypeError, ValueError, ArithmeticError)
        environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
        try:
            self._templates = {
                name: environment.from_string(text) for name, text in config.templates.items()
            }
        except TemplateError as error:
            raise BadModel(f"a template of {config.name} cannot be read: {error}") from None

    def system(self, game: AnyGame, view: Any) -> str:
        """Return the rules, for the beginning of a match."""
        examples = (game.action_text(action) for action in (0, game.action_count - 1))
        return self._render(
            "system.md",
            title=game.title,
            rules=game.rules(),
            seats=view.seats,
            seat=view.seat,
            parameters=game.parameters_form.show(view.parameters),
            examples=[f"`{example}`" for example in examples],
        )

    def turn(self, game: AnyGame, view: Any, events: Sequence[Any]) -> str:
        """Return the request for one decision; the events are those since the last one."""
        names = [f"seat {seat}" for seat in range(view.seats)]
        legal = game.legal_actions(view) if self._lists_legal else []
        more = len(legal) - _MOST_LISTED
        return self._render(
            "turn.md",
            events=[game.narrate(event, names) for event in events],
            table=_table(game, view),
            view=game.view_form.show(view),
            legal=[game.action_text(action) for action in legal[:_MOST_LISTED]],
            more=f" and {more} more of this kind" if more > 0 else "",
            seat=view.seat,
        )

    def rethink(self, reason: str) -> str:
        """Return the request to answer again."""
        return self._render("rethink.md", reason=reason)

    def _render(self, name: str, **values: Any) -> str:
        try:
            return self._templates[name].render(values).strip()
        except self._failures as error:
            raise BadModel(f"the template {name} fails: {error}") from None


def _table(game: AnyGame, view: Any) -> str:
    """Draw the table; a game without a drawing is shown in its notation."""
    try:
        return draw_view(view)
    except ModuleNotFoundError:
        shown: str = game.view_form.show(view)
        return shown


def read_answer(game: AnyGame, view: Any, text: str) -> Move:
    """Read the last JSON object with a move; raise `BadAnswer` if it names no move of the game.

    The move may be illegal.
    """
    answer = next(_objects(text[-_ANSWER_CHARACTERS:]), None)
    if answer is None:
        raise BadAnswer(f'it has no JSON object with a "move": {_excerpt(text)}')
    move = answer["move"]
    if not isinstance(move, str | int) or isinstance(move, bool):
        raise BadAnswer(f"its move is {_excerpt(json.dumps(move))}, which is not text")
    note = answer.get("note", "")
    try:
        return Move(game.parse_action(str(move).strip()), note if isinstance(note, str) else "")
    except BadText as error:
        raise BadAnswer(f"{_excerpt(str(move))} is not a move of {game.title}: {error}") from None


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects with a move, the last first."""
    decoder = json.JSONDecoder()
    end = len(text)
    while (start := text.rfind("{", 0, end)) >= 0:
        end = start
        try:
            found, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict) and "move" in found:
            yield found


def _excerpt(text: str) -> str:
    words = plain(" ".join(text[: 4 * _EXCERPT].split()))
    return repr(words if len(words) <= _EXCERPT else f"{words[:_EXCERPT]}...")
