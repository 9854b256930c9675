"""What did a bot say, and is it what it was asked?"""

from __future__ import annotations

from dataclasses import dataclass

from google.protobuf.message import DecodeError

from arena.records import EVIDENCE_BYTES, SeatEnding
from arena.referee.desk import Desk, Pending
from arena.wire.codec import codec_of
from arena.wire.messages import PROTOCOL
from arena.wire.v1.match_pb2 import Action, FromBot, Hello

MESSAGE_LIMIT = 1 << 20
"""No bot has reason to send more bytes at once."""
NO_ACTION = -1
"""An action in the words of the game that names none; the table refuses it."""


@dataclass(frozen=True, slots=True)
class Nonsense:
    """A message that is not what it should be."""

    sentence: str
    named: int | None = None
    """The match that it was about, where it names one."""
    ending: SeatEnding = SeatEnding.NONSENSE


def evidence(heard: bytes) -> bytes:
    """Return as much of a message as is kept: nothing of a bot's may grow with what it sends."""
    return heard[:EVIDENCE_BYTES]


def hello_in(heard: bytes) -> Hello | Nonsense:
    """Read a bot's first message."""
    message = _parsed(heard)
    if isinstance(message, Nonsense):
        return message
    if message.WhichOneof("content") != "hello":
        return Nonsense("its first message is not a hello")
    if message.hello.protocol != PROTOCOL:
        sentence = f"it speaks protocol {message.hello.protocol}; this referee speaks {PROTOCOL}"
        return Nonsense(sentence, ending=SeatEnding.WRONG_VERSION)
    return message.hello


def answers_in(heard: bytes, desk: Desk) -> list[tuple[Pending, int]] | Nonsense:
    """Read some answers, and match them with what the bot owes.

    No sentence names a match's number: the same match again is told in the same words.
    """
    message = _parsed(heard)
    if isinstance(message, Nonsense):
        return message
    if message.WhichOneof("content") != "decisions":
        return Nonsense("it said hello again" if message.HasField("hello") else "it said nothing")
    decisions = message.decisions.decisions
    if not decisions:
        return Nonsense("it sent an empty answer")
    answers = []
    answered = set()
    for decision in decisions:
        match = decision.match
        pending = desk.owed.get(match)
        if pending is None:
            return Nonsense("it answered a match that had not asked it", match)
        if match in answered:
            return Nonsense("it answered a match twice", match)
        answered.add(match)
        number = pending.request.number
        if decision.number != number:
            return Nonsense(f"it answered decision {decision.number}, not {number}", match)
        action = _action_in(decision.action, pending.match.fixture.game.id)
        if action is None:
            return Nonsense("its answer has no action of that game", match)
        answers.append((pending, action))
    return answers


def _parsed(heard: bytes) -> FromBot | Nonsense:
    if len(heard) > MESSAGE_LIMIT:
        return Nonsense(f"it sent {len(heard)} bytes at once; at most {MESSAGE_LIMIT} are allowed")
    try:
        return FromBot.FromString(heard)
    except DecodeError:
        return Nonsense(f"it sent {len(heard)} bytes that are not a message")


def _action_in(action: Action, game_id: str) -> int | None:
    kind = action.WhichOneof("action")
    if kind == "index":
        return action.index
    if kind != game_id:
        return None
    named = codec_of(game_id).read_action(getattr(action, kind))
    return NO_ACTION if named is None else named
