"""Do the rules find every lie, though its replay be perfectly hashed?"""

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
from arena.games.core import Ending, Outcome
from arena.games.randomness import seed_from
from arena.games.registry import GAME_IDS
from arena.records import Decision, Entrant, Fault, How, Record, SeatEnding, replayed
from arena.replays.format import read_replay, write_replay
from arena.replays.verify import MOST_COMPLAINTS, verify
from arena.wire.messages import commitment
from tests.replays.matches import FAULTY, SETTINGS, played, played_again, setting_of, unhurried


@unhurried
@given(
    st.sampled_from(SETTINGS),
    st.integers(0, 10**6),
    st.dictionaries(
        st.integers(0, 5),
        st.tuples(st.integers(0, 5), st.sampled_from(FAULTY)),
        max_size=3,
    ),
)
def test_what_a_table_played_is_true(
    setting: Setting, seed: int, faults: dict[int, tuple[int, SeatEnding]]
) -> None:
    record = played(setting, seed, faults)
    assert verify(record) == []
    assert verify(record, commitment=commitment(record.seed, record.salt)) == []


HONEST = played(setting_of("meow", 3), 1)
FAULTED = played(setting_of("meow", 3), 1, {2: (4, SeatEnding.CRASHED), 0: (6, SeatEnding.OVERRUN)})


def first(record: Record, how: How) -> int:
    """Return the number of the first decision of this kind."""
    return next(number for number, made in enumerate(record.decisions) if made.how is how)


def changed(record: Record, number: int, **facts: Any) -> Record:
    """Change facts of one decision; they differ in type, hence Any."""
    decisions = list(record.decisions)
    decisions[number] = decisions[number]._replace(**facts)
    return replace(record, decisions=tuple(decisions))


def another_stand_in() -> Record:
    """Let a stand-in take another card than it drew."""
    number = first(FAULTED, How.STAND_IN)
    *_, (_, state) = islice(replayed(FAULTED), number + 1)
    drawn = FAULTED.decisions[number].action
    return changed(FAULTED, number, action=next(a for a in state.legal_actions() if a != drawn))


def back_again() -> Record:
    """Let a seat choose once more after its fault."""
    number = first(FAULTED, How.STAND_IN)
    seat = FAULTED.decisions[number].seat
    later = next(n for n in range(number + 1, 99) if FAULTED.decisions[n].seat == seat)
    return changed(FAULTED, later, how=How.CHOSEN)


CHOSEN = first(HONEST, How.CHOSEN)
FORCED = first(HONEST, How.FORCED)
STOOD_IN = first(FAULTED, How.STAND_IN)
LAST_FORCED = len(HONEST.decisions) - 1
PLACES = HONEST.outcome.places
LIES: dict[str, tuple[Callable[[], Record], str]] = {
    "another seat": (
        lambda: changed(HONEST, CHOSEN, seat=1),
        rf"decision {CHOSEN}: seat 1 plays '\w+', but it is seat 0's turn",
    ),
    "a card the seat does not have": (
        lambda: changed(HONEST, CHOSEN, action=HONEST.decisions[CHOSEN + 1].action),
        rf"decision {CHOSEN}: '\w+' is illegal, '\w+', .* and 1 more are legal: seat 0 may not ",
    ),
    "an action that does not exist": (
        lambda: changed(HONEST, CHOSEN, action=99),
        rf"decision {CHOSEN}: action 99 is illegal, '\w+', .* are legal: seat 0 may not ",
    ),
    "a choice called forced": (
        lambda: changed(HONEST, CHOSEN, how=How.FORCED, time_us=0),
        rf"decision {CHOSEN}: '\w+' is forced, but legal are '\w+', ",
    ),
    "the only action called chosen": (
        lambda: changed(HONEST, FORCED, how=How.CHOSEN),
        rf"decision {FORCED}: '(\w+)' is chosen, but only '\1' is legal",
    ),
    "a time for what took none": (
        lambda: changed(HONEST, FORCED, time_us=7),
        rf"decision {FORCED}: a forced action has a thinking time of 7 µs, not 0",
    ),
    "a stand-in for an honest seat": (
        lambda: changed(HONEST, CHOSEN, how=How.STAND_IN, time_us=0),
        rf"decision {CHOSEN}: a stand-in plays for seat 0, which has no fault",
    ),
    "a stand-in where nobody was asked": (
        lambda: changed(HONEST, FORCED, how=How.STAND_IN),
        rf"decision {FORCED}: seat \d is out from here on, but only '\w+' is legal",
    ),
    "a stand-in that chooses": (
        another_stand_in,
        r"decision \d+: the stand-in of seat \d plays '\w+', but it drew '\w+'",
    ),
    "a seat that comes back": (
        back_again,
        r"decision \d+: seat 2: '\w+' is chosen, but it was out before",
    ),
    "a fault hidden": (
        lambda: replace(FAULTED, faults=FAULTED.faults[1:]),
        rf"decision {STOOD_IN}: a stand-in plays for seat 2, which has no fault",
    ),
    "a fault invented": (
        lambda: replace(HONEST, faults=(Fault(1, SeatEnding.CRASHED, "it crashed"),)),
        r"fault 0: seat 1 is out, but plays to the end without a stand-in",
    ),
    "a fault twice": (
        lambda: replace(FAULTED, faults=(*FAULTED.faults, FAULTED.faults[0])),
        r"fault 2: seat 2 was out already by fault 0",
    ),
    "a fault of nobody": (
        lambda: replace(HONEST, faults=(Fault(3, SeatEnding.CRASHED, "it crashed"),)),
        r"fault 0: there is no seat 3 among 3",
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
        r"the faults are those of seats 0 2, but they came as 2 0",
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
        r"outcome: scores 99 (-?\d+ -?\d+), by the rules -?\d+ \1",
    ),
    "other places": (
        lambda: replace(HONEST, outcome=HONEST.outcome._replace(places=PLACES[::-1])),
        r"outcome: places \d \d \d, by the rules \d \d \d",
    ),
    "another ending": (
        lambda: replace(HONEST, outcome=HONEST.outcome._replace(ending=Ending.LENGTH_CAP)),
        r"outcome: ending 'length cap', by the rules 'played out'",
    ),
    "another result": (
        lambda: replace(FAULTED, places=FAULTED.outcome.places),
        r"result: places \d \d \d, by the rules 3 1 3|result: places \d \d \d, by the rules 2 1 2",
    ),
    "a place too few": (
        lambda: replace(HONEST, places=HONEST.places[1:]),
        r"result: places \d \d, by the rules \d \d \d",
    ),
    "another seed": (
        lambda: replace(HONEST, seed=seed_from(2)),
        r"decision \d+: '\w+' is illegal, ",
    ),
    "no seed": (lambda: replace(HONEST, seed=b"short"), r"the deal: a seed has 32 bytes, not 5"),
    "another game": (
        lambda: replace(HONEST, game_id="chess"),
        r"the deal: no game is called 'chess'",
    ),
    "other parameters": (
        lambda: replace(HONEST, parameters=HONEST.parameters.replace("no", "yes")),
        r"decision \d+: '\w+' is illegal, ",
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


@unhurried
@given(
    st.sampled_from(GAME_IDS),
    st.integers(0, 50),
    st.sampled_from(["action", "seat", "how"]),
    st.booleans(),
    st.data(),
)
def test_the_rules_find_what_a_table_would_not_have_played(
    game_id: str, seed: int, fact: str, faulty: bool, data: st.DataObject
) -> None:
    setting = setting_of(game_id, 3)
    record = played(setting, seed, {1: (2, SeatEnding.CRASHED)} if faulty else {})
    number = data.draw(st.integers(0, len(record.decisions) - 1))
    others = {
        "action": st.integers(0, setting.game.action_count),
        "seat": st.integers(0, 2),
        "how": st.sampled_from(How),
    }
    lie = changed(record, number, **{fact: data.draw(others[fact])})
    # Another legal choice may make another match that is just as true.
    assert (verify(lie) == []) == (played_again(lie) == lie)


def test_a_seed_that_was_not_committed_to_is_found() -> None:
    told = commitment(seed_from(2), HONEST.salt)
    (complaint,) = verify(HONEST, commitment=told)
    assert told.hex() in complaint
    assert commitment(HONEST.seed, HONEST.salt).hex() in complaint


def test_a_record_made_to_annoy_gets_a_short_answer() -> None:
    (complaint,) = verify(replace(HONEST, game_id="x" * 10**6))
    assert len(complaint) < 400


@unhurried
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
def test_no_record_breaks_the_check(
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


def test_complaints_come_to_an_end() -> None:
    slow = tuple(decision._replace(time_us=-1) for decision in HONEST.decisions)
    assert len(verify(replace(HONEST, decisions=slow))) == len(slow)
    long = played(setting_of("trio", 3), 1)
    slow = tuple(decision._replace(time_us=-1) for decision in long.decisions)
    assert len(verify(replace(long, decisions=slow))) == MOST_COMPLAINTS < len(slow)
