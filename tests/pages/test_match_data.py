"""Does a page know what it has to show, and not a word more?"""

from __future__ import annotations

import json
from typing import Any

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cli.drawing import drawing_of
from arena.games.conformance import Setting
from arena.games.registry import GAME_IDS, game_named
from arena.records import How, Record, SeatEnding, replayed
from arena.replays.deals import deal_of
from arena.replays.story import names_in
from tests.pages.replays import SHORT, data_of, page_of
from tests.replays.matches import SETTINGS, played, setting_of, unhurried

settings = st.sampled_from(SETTINGS)
seeds = st.integers(0, 10_000)
few = hypothesis.settings(unhurried, max_examples=8)
"""Pages of whole matches take a while."""
every_match = pytest.mark.parametrize("record", SHORT.values(), ids=SHORT)


def views_in(data: dict[str, Any], seat: int) -> list[list[str]]:
    """Put a seat's views together from their changes, as the page does."""
    view: dict[str, str] = {}
    texts = []
    for frame in data["frames"]:
        view |= frame.get("all", {}) | frame.get("own", {}).get(str(seat), {})
        texts.append(sorted(f"{name}: {value}" for name, value in view.items()))
    return texts


def views_of(record: Record, seat: int) -> list[list[str]]:
    """Ask the rules for a seat's view of every moment."""
    game = game_named(record.game_id)
    views = (game.view_of(state, seat) for _, state in replayed(record))
    return [sorted(game.view_form.show(view).split("\n")) for view in views]


@few
@given(settings, seeds)
def test_a_page_knows_every_view_of_every_moment(setting: Setting, seed: int) -> None:
    record = played(setting, seed)
    data = data_of(record)
    for seat in range(setting.seats):
        assert views_in(data, seat) == views_of(record, seat)


@few
@given(settings, seeds, st.data())
def test_a_page_for_one_seat_is_made_of_its_views_and_of_events(
    setting: Setting, seed: int, draw: st.DataObject
) -> None:
    seat = draw.draw(st.integers(0, setting.seats - 1))
    record = played(setting, seed, {0: (2, SeatEnding.CRASHED)})
    data = data_of(record, seat)
    assert views_in(data, seat) == views_of(record, seat)
    teller, names = drawing_of(setting.game), names_in(record)
    told = 0
    used: set[int] = set()
    for frame, (decision, state) in zip(data["frames"], replayed(record), strict=True):
        events = [
            [setting.game.event_form.show(event), teller.tell(event, names)]
            for event in state.events[told:]
        ]
        told = len(state.events)
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
        assert not frame
    assert {fault["seat"] for fault in data["faults"]} <= {seat}
    assert used == set(range(len(data["events"])))


@few
@given(settings, seeds, st.data())
def test_what_a_seat_could_not_know_is_nowhere_in_its_file(
    setting: Setting, seed: int, draw: st.DataObject
) -> None:
    seat = draw.draw(st.integers(0, setting.seats - 1))
    record = played(setting, seed, {0: (2, SeatEnding.CRASHED)})
    page = page_of(record, seat)
    assert record.seed.hex() not in page
    if seat:
        assert "Traceback" not in page
        assert record.faults[0].sentence not in page
    _, start = next(replayed(record))
    deal = deal_of(setting.game.id, start)
    others = {" ".join(hand) for other, hand in enumerate(deal.hands) if other != seat}
    seen = str(views_of(record, seat))
    # A centre may have come to light in the end; and of two empty hands nothing is hidden.
    hidden = {text for text in others | {" ".join(deal.face_down)} if text not in seen}
    assert not [text for text in hidden if text in page or text.replace(" ", '","') in page]


@every_match
def test_the_hidden_cards_are_found_in_the_page_that_shows_all(record: Record) -> None:
    _, start = next(replayed(record))
    deal = deal_of(record.game_id, start)
    page = page_of(record)
    assert record.seed.hex() in page
    for hand in deal.hands:
        assert " ".join(hand) in page
    assert json.dumps(deal.face_down, separators=(",", ":")) in page


@every_match
def test_times_faults_and_the_result_are_those_of_the_record(record: Record) -> None:
    data = data_of(record)
    made = data["frames"][1:]
    for frame, decision in zip(made, record.decisions, strict=True):
        assert frame["seat"] == decision.seat
        assert frame.get("how", "chosen") == decision.how.value
        assert frame.get("us") == (decision.time_us if decision.how is How.CHOSEN else None)
    for told, fault in zip(data["faults"], record.faults, strict=True):
        assert (told["seat"], told["ending"]) == (fault.seat, fault.ending.value)
        assert made[told["decision"]]["how"] == "stand-in"
        assert told["stderr"] == fault.stderr.decode()
    assert tuple(data["places"]) == record.places
    assert tuple(data["scores"]) == record.outcome.scores


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_even_where_players_wander_up_to_the_length_cap_the_file_is_small(game_id: str) -> None:
    assert len(page_of(played(setting_of(game_id, 4), 1))) < 450_000
