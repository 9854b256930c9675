"""Verification finds every lie in a record, even if all hashes are right."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.conformance import Setting
from arena.games.outcome import Ending, Outcome
from arena.games.randomness import seed_from
from arena.games.registry import GAME_IDS
from arena.indices import Seat
from arena.records import (
    Decision,
    Entrant,
    Fault,
    How,
    Note,
    Output,
    Record,
    SeatEnding,
    replay_record,
)
from arena.replays.format import read_replay, write_replay
from arena.replays.verify import MAX_COMPLAINTS, _Check, verify
from arena.wire.envelope import commitment
from tests.builders.records import (
    FAULTY,
    recorded_match,
    replay_choices,
    setting_of,
)
from tests.builders.settings import SETTINGS

"""Whole matches take a while."""


@given(
    st.sampled_from(SETTINGS),
    st.integers(0, 10**6),
    st.dictionaries(
        st.integers(0, 5),
        st.tuples(st.integers(0, 5), st.sampled_from(FAULTY)),
        max_size=3,
    ),
)
def test_a_match_played_at_a_table_is_verified(
    setting: Setting, seed: int, faults: dict[int, tuple[int, SeatEnding]]
) -> None:
    record = recorded_match(setting, seed, faults)
    assert verify(record) == []
    assert verify(record, commitment=commitment(record.seed, record.salt)) == []
    assert list(_Check(record).complaints()) == []


HONEST = recorded_match(setting_of("meow", 3), 1)
FAULTED = recorded_match(
    setting_of("meow", 3), 1, {2: (4, SeatEnding.CRASHED), 0: (6, SeatEnding.OVERRUN)}
)


def first_decision(record: Record, how: How) -> int:
    """Return the number of the first decision made in this way."""
    return next(number for number, made in enumerate(record.decisions) if made.how is how)


def change_decision(record: Record, number: int, **facts: Any) -> Record:
    """Change facts of one decision; they differ in type, hence Any."""
    decisions = list(record.decisions)
    decisions[number] = decisions[number]._replace(**facts)
    return replace(record, decisions=tuple(decisions))


def another_stand_in() -> Record:
    """Return a record in which a stand-in plays a card other than the one it drew."""
    number = first_decision(FAULTED, How.STAND_IN)
    *_, (_, state) = islice(replay_record(FAULTED), number + 1)
    drawn = FAULTED.decisions[number].action
    return change_decision(
        FAULTED, number, action=next(a for a in state.legal_actions() if a != drawn)
    )


def choice_after_fault() -> Record:
    """Return a record in which a seat chooses after its fault."""
    number = first_decision(FAULTED, How.STAND_IN)
    seat = FAULTED.decisions[number].seat
    later = next(n for n in range(number + 1, 99) if FAULTED.decisions[n].seat == seat)
    return change_decision(FAULTED, later, how=How.CHOSEN)


CHOSEN = first_decision(HONEST, How.CHOSEN)
FORCED = first_decision(HONEST, How.FORCED)
STOOD_IN = first_decision(FAULTED, How.STAND_IN)
LAST_FORCED = len(HONEST.decisions) - 1
PLACES = HONEST.outcome.places
LIES: dict[str, tuple[Callable[[], Record], str]] = {
    "another seat": (
        lambda: change_decision(HONEST, CHOSEN, seat=1),
        rf"decision {CHOSEN}: seat 1 plays '\w+', but it is seat 0's turn",
    ),
    "a card the seat does not have": (
        lambda: change_decision(HONEST, CHOSEN, action=HONEST.decisions[CHOSEN + 1].action),
        rf"decision {CHOSEN}: '\w+' is illegal \(legal: '\w+', .* and 1 more\): seat 0 may not ",
    ),
    "an action that does not exist": (
        lambda: change_decision(HONEST, CHOSEN, action=99),
        rf"decision {CHOSEN}: action 99 is illegal \(legal: '\w+', .*\): seat 0 may not ",
    ),
    "the output of a bot that was not asked": (
        lambda: replace(HONEST, outputs=(Output(FORCED, b"hello"),)),
        rf"decision {FORCED}: it has the output of a bot that did not decide",
    ),
    "the note of a bot that was not asked": (
        lambda: replace(HONEST, notes=(Note(FORCED, "hello"),)),
        rf"decision {FORCED}: it has the note of a bot that did not decide",
    ),
    "a note that controls the terminal": (
        lambda: replace(HONEST, notes=(Note(CHOSEN, "\x1b[2J"),)),
        rf"decision {CHOSEN}: its note is not one that a referee keeps",
    ),
    "a note that is too long": (
        lambda: replace(HONEST, notes=(Note(CHOSEN, "x" * 201),)),
        rf"decision {CHOSEN}: its note is not one that a referee keeps",
    ),
    "a choice called forced": (
        lambda: change_decision(HONEST, CHOSEN, how=How.FORCED, time_us=0),
        rf"decision {CHOSEN}: '\w+' is forced, but the legal actions are '\w+', ",
    ),
    "the only action called chosen": (
        lambda: change_decision(HONEST, FORCED, how=How.CHOSEN),
        rf"decision {FORCED}: '(\w+)' is chosen, but only '\1' is legal",
    ),
    "a time for what took none": (
        lambda: change_decision(HONEST, FORCED, time_us=7),
        rf"decision {FORCED}: a forced action has a thinking time of 7 µs, not 0",
    ),
    "a stand-in for an honest seat": (
        lambda: change_decision(HONEST, CHOSEN, how=How.STAND_IN, time_us=0),
        rf"decision {CHOSEN}: a stand-in plays for seat 0, which has no fault",
    ),
    "a stand-in where no choice was needed": (
        lambda: change_decision(HONEST, FORCED, how=How.STAND_IN),
        rf"decision {FORCED}: a stand-in takes over seat \d, but only '\w+' is legal",
    ),
    "a stand-in that chooses": (
        another_stand_in,
        r"decision \d+: the stand-in of seat \d plays '\w+', but it drew '\w+'",
    ),
    "a seat that comes back": (
        choice_after_fault,
        r"decision \d+: '\w+' is chosen, but seat 2 already has a stand-in",
    ),
    "a fault hidden": (
        lambda: replace(FAULTED, faults=FAULTED.faults[1:]),
        rf"decision {STOOD_IN}: a stand-in plays for seat 2, which has no fault",
    ),
    "a fault invented": (
        lambda: replace(HONEST, faults=(Fault(Seat(1), SeatEnding.CRASHED, "it crashed"),)),
        r"fault 0: seat 1 plays to the end without a stand-in",
    ),
    "a fault twice": (
        lambda: replace(FAULTED, faults=(*FAULTED.faults, FAULTED.faults[0])),
        r"fault 2: seat 2 already has fault 0",
    ),
    "a fault of a seat that does not exist": (
        lambda: replace(HONEST, faults=(Fault(Seat(3), SeatEnding.CRASHED, "it crashed"),)),
        r"fault 0: there is no seat 3, only 3 seats",
    ),
    "a fault that is none": (
        lambda: replace(
            FAULTED,
            faults=(replace(FAULTED.faults[0], ending=SeatEnding.PLAYED), FAULTED.faults[1]),
        ),
        r"fault 0: seat 2 has a fault, but its ending is 'played'",
    ),
    "faults in another order": (
        lambda: replace(FAULTED, faults=FAULTED.faults[::-1]),
        r"the faults are listed by seat as 0 2, but came as 2 0",
    ),
    "the last decision gone": (
        lambda: replace(HONEST, decisions=HONEST.decisions[:-1]),
        rf"the record ends after {LAST_FORCED} decisions, but seat \d is to act",
    ),
    "a decision too many": (
        lambda: replace(HONEST, decisions=(*HONEST.decisions, HONEST.decisions[0])),
        rf"decision {len(HONEST.decisions)}: the match is over, but the record has 1 more decision",
    ),
    "another score": (
        lambda: replace(
            HONEST,
            outcome=HONEST.outcome._replace(scores=(99, *HONEST.outcome.scores[1:])),
        ),
        r"outcome: scores 99 (-?\d+ -?\d+), but the rules say -?\d+ \1",
    ),
    "other places": (
        lambda: replace(HONEST, outcome=HONEST.outcome._replace(places=PLACES[::-1])),
        r"outcome: places \d \d \d, but the rules say \d \d \d",
    ),
    "another ending": (
        lambda: replace(HONEST, outcome=HONEST.outcome._replace(ending=Ending.LENGTH_CAP)),
        r"outcome: ending 'length cap', but the rules say 'played out'",
    ),
    "another result": (
        lambda: replace(FAULTED, places=FAULTED.outcome.places),
        r"result: places \d \d \d, but the rules say (3 1 3|2 1 2)",
    ),
    "a place too few": (
        lambda: replace(HONEST, places=HONEST.places[1:]),
        r"result: places \d \d, but the rules say \d \d \d",
    ),
    "another seed": (
        lambda: replace(HONEST, seed=seed_from(2)),
        r"decision \d+: '\w+' is illegal \(legal: ",
    ),
    "no seed": (lambda: replace(HONEST, seed=b"short"), r"the deal: a seed has 32 bytes, not 5"),
    "another game": (
        lambda: replace(HONEST, game_id="chess"),
        r"the deal: no such game: 'chess'",
    ),
    "other parameters": (
        lambda: replace(HONEST, parameters=HONEST.parameters.replace("no", "yes")),
        r"decision \d+: '\w+' is illegal \(legal: ",
    ),
    "parameters that are none": (
        lambda: replace(HONEST, parameters="expert=perhaps"),
        r"the deal: expert: 'perhaps' is neither yes nor no",
    ),
    "one player more": (
        lambda: replace(HONEST, entrants=(*HONEST.entrants, HONEST.entrants[0])),
        r"decision \d+: ",
    ),
    "too many players": (
        lambda: replace(HONEST, entrants=HONEST.entrants * 3),
        r"the deal: meow cannot seat 9",
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_found_and_both_values_are_named(lie: str) -> None:
    make, sentence = LIES[lie]
    complaints = verify(read_replay(write_replay(make())))
    assert any(re.match(sentence, complaint) for complaint in complaints), complaints


@given(
    st.sampled_from(GAME_IDS),
    st.integers(0, 50),
    st.sampled_from(["action", "seat", "how"]),
    st.booleans(),
    st.data(),
)
def test_a_changed_decision_is_accepted_only_if_a_table_could_have_played_it(
    game_id: str, seed: int, fact: str, faulty: bool, data: st.DataObject
) -> None:
    setting = setting_of(game_id, 3)
    record = recorded_match(setting, seed, {1: (2, SeatEnding.CRASHED)} if faulty else {})
    number = data.draw(st.integers(0, len(record.decisions) - 1))
    others = {
        "action": st.integers(0, setting.game.action_count),
        "seat": st.integers(0, 2),
        "how": st.sampled_from(How),
    }
    lie = change_decision(record, number, **{fact: data.draw(others[fact])})
    # Another legal choice may make another valid match.
    assert (verify(lie) == []) == (replay_choices(lie) == lie)
    # A record that is all right is checked in a shorter way.
    assert (verify(lie) == []) == (list(_Check(lie).complaints()) == [])


def test_a_seed_that_does_not_match_the_commitment_is_found() -> None:
    wrong = commitment(seed_from(2), HONEST.salt)
    (complaint,) = verify(HONEST, commitment=wrong)
    assert wrong.hex() in complaint
    assert commitment(HONEST.seed, HONEST.salt).hex() in complaint


def test_a_malicious_record_gets_a_short_complaint() -> None:
    (complaint,) = verify(replace(HONEST, game_id="x" * 10**6))
    assert len(complaint) < 400


@given(
    st.sampled_from(SETTINGS),
    st.integers(2, 6),
    st.binary(min_size=32, max_size=32),
    st.lists(
        st.builds(
            Decision,
            st.integers(-1, 6),
            st.integers(-1, 40) | st.integers(0, 1100) | st.integers(),
            st.sampled_from(How),
            st.integers(),
        ),
        max_size=30,
    ),
    st.lists(st.builds(Fault, st.integers(-1, 6), st.sampled_from(SeatEnding), st.text())),
    st.lists(st.integers(), max_size=6),
)
def test_no_record_crashes_the_verification(
    setting: Setting,
    seats: int,
    seed: bytes,
    decisions: list[Decision],
    faults: list[Fault],
    places: list[int],
) -> None:
    record = Record(
        game_id=setting.game.id,
        parameters=setting.game.parameters_form.show(setting.parameters),
        seed=seed,
        entrants=(Entrant("same"),) * seats,
        clock="",
        decisions=tuple(decisions),
        faults=tuple(faults),
        outcome=Outcome(tuple(places), tuple(places), Ending.PLAYED_OUT),
        places=tuple(places),
    )
    assert verify(record)


def test_the_number_of_complaints_is_limited() -> None:
    slow = tuple(decision._replace(time_us=-1) for decision in HONEST.decisions)
    assert len(verify(replace(HONEST, decisions=slow))) == len(slow)
    long = recorded_match(setting_of("trio", 3), 1)
    slow = tuple(decision._replace(time_us=-1) for decision in long.decisions)
    assert len(verify(replace(long, decisions=slow))) == MAX_COMPLAINTS < len(slow)
