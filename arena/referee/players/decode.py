"""Decode and check the messages of a bot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from google.protobuf.message import DecodeError

from arena.games.registry import AnyGame
from arena.records import EVIDENCE_BYTES, SeatEnding
from arena.referee.mailbox import Mailbox
from arena.referee.model import PendingDecision
from arena.wire.codec import action_in_text, codec_of
from arena.wire.envelope import PROTOCOL, decisions
from arena.wire.v1.match_pb2 import Action, FromBot, Hello

MESSAGE_LIMIT = 1 << 20
"""Maximum size of a message from a bot, in bytes."""
NO_ACTION = -1
"""Stands for a message that names no action of the game; the table rejects it."""


@dataclass(frozen=True, slots=True)
class Nonsense:
    """An invalid message."""

    sentence: str
    match_number: int | None = None
    """The match that the message names, if any."""
    ending: SeatEnding = SeatEnding.NONSENSE


def evidence(received: bytes) -> bytes:
    """Return the part of a message to keep, so that a bot cannot use up memory with it."""
    return received[:EVIDENCE_BYTES]


def decode_hello(received: bytes) -> Hello | Nonsense:
    """Decode the first message of a bot."""
    message = _parse(received)
    if isinstance(message, Nonsense):
        return message
    if message.WhichOneof("content") != "hello":
        return Nonsense("its first message is not Hello")
    if message.hello.protocol != PROTOCOL:
        sentence = f"it uses protocol {message.hello.protocol}; this referee uses {PROTOCOL}"
        return Nonsense(sentence, ending=SeatEnding.WRONG_VERSION)
    return message.hello


Answered = tuple[PendingDecision, int, str]
"""A request, the action that answers it, and the bot's note."""


def decode_answers(received: bytes, mailbox: Mailbox) -> list[Answered] | Nonsense:
    """Decode answers, and match them with the requests that are unanswered.

    No sentence contains the number of a match, so that a repeated match gives the same sentence.
    """
    usual = decisions.read(received) if len(received) <= MESSAGE_LIMIT else None
    if usual:
        return _match_answers(usual, mailbox)
    message = _parse(received)
    if isinstance(message, Nonsense):
        return message
    content = message.WhichOneof("content")
    if content != "decisions":
        sentence = "it sent a second Hello" if content else "it sent a message without content"
        return Nonsense(sentence)
    if not message.decisions.decisions:
        return Nonsense("it sent an answer without decisions")
    return _match_answers(
        ((each.match, each.number, each.action, each.note) for each in message.decisions.decisions),
        mailbox,
    )


def _match_answers(
    decisions: Iterable[tuple[int, int, int | Action, str]], mailbox: Mailbox
) -> list[Answered] | Nonsense:
    """Match answers with requests; each is a match, a decision's number, an action and a note."""
    answers = []
    answered = set()
    for match, number, chosen, note in decisions:
        pending = mailbox.unanswered.get(match)
        if pending is None:
            return Nonsense("it answered without being asked", match)
        if match in answered:
            return Nonsense("it answered twice in the same match", match)
        answered.add(match)
        asked = pending.request.number
        if number != asked:
            return Nonsense(f"it answered decision {number}, not {asked}", match)
        action = (
            chosen
            if isinstance(chosen, int)
            else _decode_action(chosen, pending.match.fixture.game)
        )
        if action is None:
            return Nonsense("its answer has no action of this game", match)
        answers.append((pending, action, note))
    return answers


def _parse(received: bytes) -> FromBot | Nonsense:
    if len(received) > MESSAGE_LIMIT:
        return Nonsense(
            f"it sent {len(received)} bytes in one message; the limit is {MESSAGE_LIMIT}"
        )
    try:
        return FromBot.FromString(received)
    except DecodeError:
        return Nonsense(f"it sent {len(received)} bytes that are not a valid message")


def _decode_action(action: Action, game: AnyGame) -> int | None:
    kind = action.WhichOneof("action")
    if kind == "index":
        return action.index
    if kind == "text":
        action_index = action_in_text(game, action.text)
    elif kind == game.id:
        action_index = codec_of(game.id).read_action(getattr(action, kind))
    else:
        return None
    return NO_ACTION if action_index is None else action_index
