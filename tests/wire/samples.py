"""Valid messages of every kind, from random play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from arena.games.conformance import Setting
from arena.games.randomness import seed_from
from arena.wire.backend import PYTHON, Backend
from arena.wire.codec import codec_of
from arena.wire.envelope import (
    Batch,
    FromBot,
    MatchEnd,
    MatchStart,
    Request,
    WireClock,
    WireDecision,
    WireHello,
    envelope_in,
)

# Records have different types in each game: hence Any.


class Sample(NamedTuple):
    """A record, and the message that holds it."""

    kind: str
    """What it is, such as `view` or `request`."""
    game_id: str
    """Empty if it is the same for all games."""
    record: Any
    data: bytes
    context: tuple[Any, ...] = ()

    def write_with(self, backend: Backend) -> bytes:
        """Write the record again."""
        if self.game_id:
            write: Callable[[Any], bytes] = getattr(
                codec_of(self.game_id, backend), f"{self.kind}_bytes"
            )
            return write(self.record)
        return bytes(getattr(envelope_in(backend), self.kind).write(self.record))

    def read_with(self, backend: Backend, data: bytes) -> Any:
        """Read a message as this kind of record."""
        if self.game_id:
            return getattr(codec_of(self.game_id, backend), f"{self.kind}_in")(data, *self.context)
        return getattr(envelope_in(backend), self.kind).read(data)


def game_samples(setting: Setting, seed: int, *, decisions: int = 40) -> Iterator[Sample]:
    """Play a random match; yield its parameters, the views of the seats to act, and its events."""
    game, codec = setting.game, codec_of(setting.game.id, PYTHON)
    state = game.start(setting.seats, seed_from(seed), setting.parameters, recording=True)
    rng = Random(seed)
    parameters = setting.parameters
    yield Sample("parameters", game.id, parameters, codec.parameters_bytes(parameters))
    for _ in range(decisions):
        if state.is_over:
            break
        seat = state.to_act
        view = game.view_of(state, seat)
        context = (parameters, setting.seats, seat, seat)
        yield Sample("view", game.id, view, codec.view_bytes(view), context)
        state.apply(state.random_action(rng))
    for event in state.events:
        yield Sample("event", game.id, event, codec.event_bytes(event))


def envelope_samples() -> Iterator[Sample]:
    """Yield one message of each kind that is the same for all games."""
    events = (b"one", b"", b"three" * 60)
    clock = WireClock(60.0, 0.5, True, 630.0, 5.0)
    start = MatchStart(300, "meow", 4, 2, b"parameters", clock, b"s" * 32, b"c" * 32)
    asked = Request(300, 7, events, b"view", 12.5, (b"a", b"b"), 155.25)
    answers = (WireDecision(300, 7, b"action", "why"), WireDecision(1, 0, b"b"))
    end = MatchEnd(300, (2, 1, 3), events, (-5, 300, 0), 1, "played – to the end")
    records = {
        "clock": clock,
        "match_start": start,
        "request": asked,
        "match_end": end,
        "batch": Batch((b"start",), (b"one", b"two"), (b"end",) * 3, b"bye"),
    }
    said = (FromBot(WireHello(1, "kitten", (b"meow", b"*"), True), None), FromBot(None, answers))
    for kind, record in [*records.items(), *(("from_bot", each) for each in said)]:
        yield Sample(kind, "", record, getattr(envelope_in(PYTHON), kind).write(record))
