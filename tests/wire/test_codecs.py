"""Everything sent arrives unchanged, and as the protocol describes it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from google.protobuf import json_format
from hypothesis import given
from hypothesis import strategies as st

from arena.games.conformance import Setting
from arena.games.meow import GAME as MEOW
from arena.games.meow.cards import Card, Token
from arena.games.meow.events import CardPlayed, TrickWon
from arena.games.randomness import seed_from
from arena.games.registry import AnyGame, all_games, game_named, parameters_from
from arena.wire.backend import Backend
from arena.wire.codec import NO_ACTION, codec_of, index_bytes
from arena.wire.envelope import Envelope, Request, WireClock
from arena.wire.fields import write_delimited
from arena.wire.v1 import match_pb2
from tests.builders.settings import every_setting

GAMES = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)


@every_setting
def test_views_events_and_parameters_arrive_as_the_generated_code_would_send_them(
    setting: Setting, backend: Backend
) -> None:
    game = setting.game
    codec = codec_of(game.id, backend)
    rng = Random(1)

    def generated(kind: str, sent: bytes) -> bytes:
        message = getattr(match_pb2, kind.capitalize()).FromString(sent)
        assert message.WhichOneof(kind) == game.id
        # Unknown fields or lists that are not packed would be written differently.
        return bytes(message.SerializeToString(deterministic=True))

    sent = codec.parameters_bytes(setting.parameters)
    assert generated("parameters", sent) == sent
    assert codec.parameters_in(sent) == setting.parameters
    for number in range(3):
        state = game.start(setting.seats, seed_from(number), setting.parameters, recording=True)
        for _ in range(300):
            if state.is_over:
                break
            seat = state.to_act
            view = game.view_of(state, seat)
            sent = codec.view_bytes(view)
            assert generated("view", sent) == sent
            assert codec.view_in(sent, setting.parameters, setting.seats, seat, seat) == view
            state.apply(state.random_action(rng))
        for event in state.events:
            sent = codec.event_bytes(event)
            assert generated("event", sent) == sent
            assert codec.event_in(sent) == event


@pytest.mark.parametrize(
    ("game_id", "words"),
    [
        ("trio", ["mode=spicy", "turn_cap=10000"]),
        ("jackal", ["take2_paws=0", "paws=" + ",".join("0123456789" * 2), "round_cap=1"]),
        (
            "meow",
            ["vases=once", "tokens=" + ",".join(["-99"] * 13 + ["99"] * 12 + ["fish", "vase"])],
        ),
        ("lifeislife", ["expert", "turn_cap=1", "round_cap=10000"]),
    ],
)
def test_parameters_at_their_bounds_arrive_as_they_were_sent(
    game_id: str, words: list[str], backend: Backend
) -> None:
    codec = codec_of(game_id, backend)
    parameters = parameters_from(game_named(game_id), words)
    sent = codec.parameters_bytes(parameters)
    assert codec.parameters_in(sent) == parameters
    assert match_pb2.Parameters.FromString(sent).SerializeToString(deterministic=True) == sent


@GAMES
def test_every_action_arrives_as_it_was_sent(game: AnyGame, backend: Backend) -> None:
    codec = codec_of(game.id, backend)
    for action in range(game.action_count):
        sent = codec.action_bytes(action)
        message = match_pb2.Action.FromString(sent)
        assert message.WhichOneof("action") == game.id
        assert message.SerializeToString(deterministic=True) == sent
        text = match_pb2.Action(text=game.action_text(action)).SerializeToString()
        for received in (sent, index_bytes(action), text):
            assert codec.action_in(received) == action


@GAMES
def test_an_invalid_action_is_none_of_the_game(game: AnyGame, backend: Backend) -> None:
    codec = codec_of(game.id, backend)
    odd: dict[str, list[dict[str, Any]]] = {
        "trio": [{}, {"centre": 9}, {"low": 6}, {"high": 99}, {"give": 0}, {"give": 13}],
        "jackal": [
            {},
            {"place": {"stacks": [0, 0, 0]}},
            {"place": {"stacks": [7]}},
            {"place": {"stacks": [1, 1, 1, 1]}},
            {"order": {"positions": [1]}},
            {"order": {"positions": [1, 1]}},
        ],
        "meow": [{"card": 54}, {"card": 2**31}],
        "lifeislife": [
            {},
            {"swap": {"counts": [1]}},
            {"swap": {"counts": [0] * 10}},
            {"swap": {"counts": [5] + [0] * 9}},
            {"swap": {"counts": [2**31] + [0] * 9}},
        ],
    }
    for fields in odd[game.id]:
        message = match_pb2.Action()
        json_format.ParseDict({game.id: fields}, message)
        assert codec.action_in(message.SerializeToString()) == NO_ACTION, fields
    other = "trio" if game.id == "meow" else "meow"
    foreign = match_pb2.Action()
    getattr(foreign, other).SetInParent()
    for message in (match_pb2.Action(), foreign):
        assert codec.action_in(message.SerializeToString()) is None


def test_a_zero_that_is_sent_is_as_good_as_one_that_is_left_out(backend: Backend) -> None:
    for action in (b"", b"\x08\x00"):
        assert codec_of("meow", backend).action_in(write_delimited(4, action)) == 0


def test_dice_after_the_last_one_named_are_kept(backend: Backend) -> None:
    codec = codec_of("jackal", backend)
    for stacks in ([0, 2], [0, 2, 0]):
        message = match_pb2.Action(jackal={"place": {"stacks": stacks}})
        assert codec.action_in(message.SerializeToString()) == 7 * 2


def test_events_of_different_kinds_with_the_same_values_are_not_confused(backend: Backend) -> None:
    codec = codec_of("meow", backend)
    alike = (CardPlayed(2, Card(6)), TrickWon(2, Token(6)))
    assert tuple(alike[0]) == tuple(alike[1])
    assert [type(codec.event_in(codec.event_bytes(event))) for event in alike] == [
        CardPlayed,
        TrickWon,
    ]


def _asked(
    events: tuple[bytes, ...], number: int, legal: tuple[bytes, ...] = (), wall_left_s: float = 0.0
) -> Request:
    view = codec_of("meow").view_bytes(MEOW.view_of(MEOW.start(3, seed_from(1)), 0))
    return Request(300, number, events, view, 12.5, legal, wall_left_s)


@pytest.mark.parametrize("wall_left_s", [0.0, 155.25])
@pytest.mark.parametrize("number", [0, 5, 200])
@pytest.mark.parametrize("events", [(), (b"abc",), (b"x" * 200, b"", b"y")], ids=len)
def test_a_request_is_read_with_and_without_its_events(
    events: tuple[bytes, ...], number: int, wall_left_s: float, envelope: Envelope
) -> None:
    asked = _asked(events, number, wall_left_s=wall_left_s)
    data = envelope.request.write(asked)
    assert envelope.request.read(data) == asked
    assert envelope.request_without_events(data) == asked._replace(events=())


def test_a_request_with_reordered_or_unknown_fields_is_still_read(envelope: Envelope) -> None:
    asked = _asked((b"abc",), 3, legal=(b"one", b"two"))
    data = envelope.request.write(asked)
    later = b"\x7a\x03new"
    for changed in (data, data + later, later + data):
        assert envelope.request.read(changed) == asked
        assert envelope.request_without_events(changed) == asked._replace(events=())


def test_both_clocks_are_sent_as_the_protocol_says(envelope: Envelope) -> None:
    asked = match_pb2.Request.FromString(envelope.request.write(_asked((), 1, wall_left_s=155.25)))
    assert (asked.time_left_s, asked.wall_left_s) == (12.5, 155.25)
    sent = match_pb2.Clock.FromString(envelope.clock.write(WireClock(60.0, 0.5, True, 630.0, 5.0)))
    assert (sent.bank_s, sent.increment_s, sent.counts_cpu) == (60.0, 0.5, True)
    assert (sent.wall_bank_s, sent.wall_increment_s) == (630.0, 5.0)


@given(st.text(max_size=40))
def test_a_text_names_an_action_or_none(text: str) -> None:
    action = codec_of("meow").action_in(match_pb2.Action(text=text).SerializeToString())
    assert action == NO_ACTION or MEOW.action_text(action or 0).lower() == text.lower()
