"""Decode and check the messages of a bot."""

from __future__ import annotations

from dataclasses import dataclass

from arena.records import EVIDENCE_BYTES, SeatEnding
from arena.referee.mailbox import Mailbox
from arena.referee.model import PendingDecision
from arena.wire.codec import codec_of
from arena.wire.envelope import PROTOCOL, FromBot, WireDecision, WireHello, from_bot
from arena.wire.fields import Malformed

MESSAGE_LIMIT = 1 << 20
"""Maximum size of a message from a bot, in bytes."""


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


def decode_hello(received: bytes) -> WireHello | Nonsense:
    """Decode the first message of a bot."""
    message = _parse(received)
    if isinstance(message, Nonsense):
        return message
    hello = message.hello
    if hello is None:
        return Nonsense("its first message is not Hello")
    if hello.protocol != PROTOCOL:
        sentence = f"it uses protocol {hello.protocol}; this referee uses {PROTOCOL}"
        return Nonsense(sentence, ending=SeatEnding.WRONG_VERSION)
    return hello


Answered = tuple[PendingDecision, int, str]
"""A request, the action that answers it, and the bot's note."""


def decode_answers(received: bytes, mailbox: Mailbox) -> list[Answered] | Nonsense:
    """Decode answers, and match them with the requests that are unanswered.

    No sentence contains the number of a match, so that a repeated match gives the same sentence.
    """
    message = _parse(received)
    if isinstance(message, Nonsense):
        return message
    if message.hello is not None:
        return Nonsense("it sent a second Hello")
    if message.decisions is None:
        return Nonsense("it sent a message without content")
    if not message.decisions:
        return Nonsense("it sent an answer without decisions")
    try:
        return _match_answers(message.decisions, mailbox)
    except Malformed:
        return _invalid(received)


def _match_answers(
    decisions: tuple[WireDecision, ...], mailbox: Mailbox
) -> list[Answered] | Nonsense:
    """Match answers with requests."""
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
        action = codec_of(pending.match.fixture.game.id).action_in(chosen)
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
        return from_bot.read(received)
    except Malformed:
        return _invalid(received)


def _invalid(received: bytes) -> Nonsense:
    return Nonsense(f"it sent {len(received)} bytes that are not a valid message")
