"""A page contains the data that it shows, and nothing else."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.conformance import Setting
from arena.games.notation import values_of
from arena.games.registry import GAME_IDS, game_named
from arena.pages.match_data import LISTED_ACTIONS, event_values
from arena.records import How, Note, Output, Record, SeatEnding, replay_record
from arena.replays.transcript import player_names
from tests.builders.records import recorded_match, setting_of
from tests.builders.settings import SETTINGS
from tests.pages.replays import SHORT, data_of, page_of

settings = st.sampled_from(SETTINGS)
seeds = st.integers(0, 10_000)
few = hypothesis.settings(max_examples=4)
"""Pages of whole matches take a while."""
every_match = pytest.mark.parametrize("record", SHORT.values(), ids=SHORT)


def views_in(data: dict[str, Any], seat: int) -> list[dict[str, Any]]:
    """Assemble a seat's views from their changes, as the page does."""
    view: dict[str, Any] = {}
    views = []
    for frame in data["frames"]:
        view = view | frame.get("all", {}) | frame.get("own", {}).get(str(seat), {})
        views.append(view)
    return views


def views_of(record: Record, seat: int) -> list[dict[str, Any]]:
    """Return a seat's view at every step, by the rules, without fields that have no value."""
    game = game_named(record.game_id)
    views = [values_of(game.view_of(state, seat)) for _, state in replay_record(record)]
    return [{name: value for name, value in view.items() if value is not None} for view in views]


def listed(values: Any) -> str:
    """Return values as JSON without quotes, or a page without them: numbers may be texts."""
    text = values if isinstance(values, str) else json.dumps(values, separators=(",", ":"))
    return text.replace('"', "").strip("[]")


@few
@given(settings, seeds)
def test_a_page_contains_every_view_and_the_legal_actions_of_every_choice_or_their_number(
    setting: Setting, seed: int
) -> None:
    record = recorded_match(setting, seed)
    data = data_of(record)
    for seat in range(setting.seats):
        assert views_in(data, seat) == views_of(record, seat)
    game = setting.game
    frames = iter(data["frames"][1:])
    legal: list[int] = []
    for decision, state in replay_record(record):
        if decision is not None:
            frame = next(frames)
            assert ("chose" in frame) == (decision.how is How.CHOSEN)
            if "chose" in frame:
                action, choice = frame["chose"]
                assert data["actions"][action] == game.action_text(decision.action)
                listed = data["choices"][choice]
                if len(legal) > LISTED_ACTIONS:
                    assert listed == len(legal)
                else:
                    texts = [data["actions"][each] for each in listed]
                    assert texts == list(map(game.action_text, legal))
        legal = state.legal_actions()


def test_a_page_shows_what_a_bot_printed_only_with_its_own_decisions() -> None:
    record = SHORT["meow"]
    first = {decision.seat: number for number, decision in reversed([*enumerate(record.decisions)])}
    outputs = tuple(Output(number, b"I am %d\n" % seat) for seat, number in first.items())
    record = replace(record, outputs=tuple(sorted(outputs)))
    frames = data_of(record)["frames"]
    assert {seat: frames[number + 1]["printed"] for seat, number in first.items()} == {
        seat: f"I am {seat}" for seat in first
    }
    frames = data_of(record, 1)["frames"]
    assert [frame["printed"] for frame in frames if "printed" in frame] == ["I am 1"]


def test_a_page_for_one_seat_has_its_own_notes_only() -> None:
    record = SHORT["meow"]
    first = {decision.seat: number for number, decision in reversed([*enumerate(record.decisions)])}
    notes = tuple(sorted(Note(number, f"I am {seat}\x1b") for seat, number in first.items()))
    record = replace(record, notes=notes)
    frames = data_of(record)["frames"]
    assert {frames[number + 1]["note"] for number in first.values()} == {
        f"I am {seat}�" for seat in first
    }
    frames = data_of(record, 1)["frames"]
    assert [frame["note"] for frame in frames if "note" in frame] == ["I am 1�"]


@few
@given(settings, seeds, st.data())
def test_a_page_for_one_seat_contains_only_its_views_and_public_events(
    setting: Setting, seed: int, draw: st.DataObject
) -> None:
    seat = draw.draw(st.integers(0, setting.seats - 1))
    record = recorded_match(setting, seed, {0: (2, SeatEnding.CRASHED)})
    data = data_of(record, seat)
    assert views_in(data, seat) == views_of(record, seat)
    names = player_names(record)
    event_count = 0
    used: set[int] = set()
    for frame, (decision, state) in zip(data["frames"], replay_record(record), strict=True):
        events = [event_values(setting.game, event, names) for event in state.events[event_count:]]
        event_count = len(state.events)
        numbers = frame.pop("events", [])
        used.update(numbers)
        assert [data["events"][number] for number in numbers] == events
        assert frame.pop("seat", None) == (decision and decision.seat)
        frame.pop("all", None)
        assert "own" not in frame
        if decision and decision.seat == seat:
            assert frame.pop("how", "chosen") == decision.how.value
            assert frame.pop("us", decision.time_us) == decision.time_us
            secret = frame.pop("secret", None)
            assert secret in (None, setting.game.action_text(decision.action))
            frame.pop("chose", None)
        assert not frame
    assert {fault["seat"] for fault in data["faults"]} <= {seat}
    assert used == set(range(len(data["events"])))


@pytest.mark.parametrize(
    ("game_id", "parameters", "expected"),
    [
        ("trio", "mode=spicy teams=yes turn_cap=9", ["spicy-teams", "turn_cap=9"]),
        ("meow", "expert=yes", ["expert"]),
        ("jackal", "", ["standard"]),
    ],
)
def test_a_variant_has_its_name_and_only_other_settings_are_listed(
    game_id: str, parameters: str, expected: list[str]
) -> None:
    read = game_named(game_id).parameters_form.read(parameters)
    data = data_of(recorded_match(replace(setting_of(game_id, 4), parameters=read), 1))
    assert data["variant"] == expected


@few
@given(settings, seeds, st.data())
def test_nothing_hidden_from_a_seat_is_in_its_file(
    setting: Setting, seed: int, draw: st.DataObject
) -> None:
    seat = draw.draw(st.integers(0, setting.seats - 1))
    record = recorded_match(setting, seed, {0: (2, SeatEnding.CRASHED)})
    page = page_of(record, seat)
    assert record.seed.hex() not in page
    if seat:
        assert "Traceback" not in page
        assert record.faults[0].sentence not in page
    _, start = next(replay_record(record))
    deal = setting.game.hidden_cards(start)
    others = [hand for other, hand in enumerate(deal.hands) if other != seat]
    seen = listed(views_of(record, seat))
    # The whole centre may have been revealed, and empty hands hide nothing.
    hidden = {listed(cards) for cards in (*others, deal.face_down)}
    # The numbers of legal actions may happen to be those of a hand.
    shown = re.sub(r"choices:\[\[.*?\]\]", "", listed(page))
    assert not [cards for cards in hidden if cards not in seen and cards in shown]


@every_match
def test_the_page_for_all_seats_contains_the_hidden_cards(record: Record) -> None:
    _, start = next(replay_record(record))
    deal = game_named(record.game_id).hidden_cards(start)
    page = page_of(record)
    assert record.seed.hex() in page
    for hand in deal.hands:
        assert f"[{listed(hand)}]" in listed(page)
    assert json.dumps(deal.face_down, separators=(",", ":")) in page


@every_match
def test_times_faults_and_the_result_are_those_of_the_record(record: Record) -> None:
    data = data_of(record)
    decided = data["frames"][1:]
    for frame, decision in zip(decided, record.decisions, strict=True):
        assert frame["seat"] == decision.seat
        assert frame.get("how", "chosen") == decision.how.value
        assert frame.get("us") == (decision.time_us if decision.how is How.CHOSEN else None)
    for shown, fault in zip(data["faults"], record.faults, strict=True):
        assert (shown["seat"], shown["ending"]) == (fault.seat, fault.ending.value)
        assert decided[shown["decision"]]["how"] == "stand-in"
        assert shown["stderr"] == fault.printed.decode()
    assert tuple(data["places"]) == record.places
    assert tuple(data["scores"]) == record.outcome.scores


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_the_file_is_small_even_at_the_length_cap(game_id: str) -> None:
    assert len(page_of(recorded_match(setting_of(game_id, 4), 1))) < 520_000
