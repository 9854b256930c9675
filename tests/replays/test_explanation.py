"""The end of a recorded match is explained, faults included."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from arena.games.conformance import Setting
from arena.records import Entrant, SeatEnding
from arena.replays.explanation import explain_end
from arena.replays.transcript import transcript
from tests.builders.records import FAULTY, recorded_match, setting_of
from tests.builders.settings import SETTINGS


def test_a_fault_puts_a_seat_last_and_the_end_says_so() -> None:
    record = recorded_match(setting_of("meow", 3), 1, {1: (2, SeatEnding.CRASHED)})
    sentence = explain_end(record).sentence
    assert sentence.startswith("A fault (crashed) puts bot-1 last. ")
    first = record.entrants[record.places.index(1)].name
    assert f"{first} is first with " in sentence
    assert sentence in "\n".join(transcript(record))


def test_a_fault_puts_the_partner_last_too() -> None:
    record = recorded_match(setting_of("trio", 4, "spicy-teams"), 1, {1: (0, SeatEnding.OVERRUN)})
    assert explain_end(record).sentence.startswith(
        "A fault of bot-1 (ran out of time) puts it and its partner bot-3 last. "
    )


def test_when_everyone_faults_all_share_first_place() -> None:
    faults = dict.fromkeys(range(2), (0, SeatEnding.CRASHED))
    record = recorded_match(setting_of("meow", 2), 1, faults)
    assert record.places == (1, 1)
    assert explain_end(record).sentence == (
        "A fault (crashed) puts bot-0 last. A fault (crashed) puts bot-1 last. "
        "With nobody else left, all share first place."
    )


@given(
    st.sampled_from(SETTINGS),
    st.integers(0, 1000),
    st.dictionaries(
        st.integers(0, 5), st.tuples(st.integers(0, 3), st.sampled_from(FAULTY)), max_size=3
    ),
)
def test_whoever_is_first_is_named_whatever_the_faults(
    setting: Setting, seed: int, faults: dict[int, tuple[int, SeatEnding]]
) -> None:
    record = recorded_match(setting, seed, faults)
    explanation = explain_end(record)
    for fault in record.faults:
        assert f"bot-{fault.seat}" in explanation.sentence
    if len(record.faults) < setting.seats:
        for seat, place in enumerate(record.places):
            assert place != 1 or f"bot-{seat}" in explanation.sentence
    assert len(explanation.rows) == setting.seats


def test_a_name_in_the_explanation_cannot_control_the_terminal() -> None:
    record = recorded_match(setting_of("meow", 2), 1)
    record = replace(record, entrants=(Entrant("\x1b[2J"), Entrant("\x1b[3J")))
    assert "\x1b" not in explain_end(record).sentence
