"""What is served to a seat is made of its views and the public events, to the byte."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from arena.games.notation import values_of
from arena.games.randomness import seed_from
from arena.games.registry import GAME_IDS, game_named
from arena.indices import Seat
from arena.pages.match_data import event_values
from arena.pages.play.feed import SeatFeed
from arena.records import replay_record
from arena.referee.observing import Observation
from tests.pages.play.tables import SHORT, HttpPerson, served_table, short_setting


@pytest.mark.parametrize("name", SHORT)
def test_everything_that_is_served_follows_from_the_views_and_events(name: str) -> None:
    setting = short_setting(name)
    game = setting.game
    with served_table(setting, [1], seed=5) as served:
        person = HttpPerson(served.addresses[1])
        person.play()
    (record,) = served.records
    frames = [frame for update in person.updates for frame in update["frames"]]
    names = [entrant.name for entrant in record.entrants]
    view: dict[str, Any] = {}
    events = 0
    for frame, (decision, state) in zip(frames, replay_record(record), strict=True):
        view |= frame.pop("view")
        # What has no value is not sent until it had one.
        expected = values_of(game.view_of(state, 1))
        assert view == {name: each for name, each in expected.items() if each is not None}
        assert frame.pop("events") == [
            event_values(game, event, names) for event in state.events[events:]
        ]
        events = len(state.events)
        assert frame.pop("seat", None) == (decision and decision.seat)
        assert frame.pop("scores") == list(state.scores())
        if decision and decision.seat == 1:
            assert frame.pop("secret", None) in (None, game.action_text(decision.action))
        assert frame == {}
    keys = {"version", "match", "frames", "turn", "notice", "result", "closed"}
    assert all(set(update) == keys for update in person.updates)
    turns = [update["turn"] for update in person.updates if update["turn"]]
    assert all(set(turn) == {"number", "choices", "left_s"} for turn in turns)
    sent = b"".join(person.received)
    assert record.seed.hex().encode() not in sent


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_the_bytes_are_the_same_for_every_state_that_fits_the_view(game_id: str) -> None:
    game = game_named(game_id)
    rng = Random(2)
    state = game.start(3, seed_from(3), recording=True)
    changed = 0
    for _ in range(30):
        if state.is_over:
            break
        seat = Seat(rng.randrange(3))
        other = game.redeal(state, seat, rng)
        changed += other.truth() != state.truth()
        sent = [_bytes_of(game, each, seat, state.events) for each in (state, other)]
        assert sent[0] == sent[1]
        state.apply(state.random_action(rng))
    assert changed > 5


def _bytes_of(game: Any, state: Any, seat: Seat, events: Any) -> bytes:
    """Return what a page gets for a state, which is of the game's own type, hence Any."""
    feed = SeatFeed(game, ["Ann", "Bob", "Cem"], seat)
    view = game.view_of(state, seat)
    feed.observe(Observation(view, events, None, None))
    if state.to_act == seat:
        feed.ask(view, lambda action: None, None)
    return feed.updates(0, 0, 0, 0.0)
