"""Is a match told in full, and is a seat's story told with that seat's eyes only?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import click
import pytest

from arena.cli.drawing import drawing_of
from arena.games.conformance import Setting
from arena.games.registry import GAME_IDS, game_named
from arena.records import Entrant, How, Record, SeatEnding, events_of, replayed
from arena.replays.story import placing, story, story_of_seat
from arena.replays.verify import verify
from tests.replays.matches import SETTINGS, played, setting_of

FAULTS = {1: (2, SeatEnding.CRASHED)}


def told(record: Record, *, hidden: bool = False) -> list[str]:
    """Tell a match, without colours."""
    teller = drawing_of(game_named(record.game_id))
    return [click.unstyle(paragraph) for paragraph in story(record, teller, hidden=hidden)]


def seen(record: Record, seat: int) -> list[str]:
    """Tell a match with one seat's eyes, without colours."""
    teller = drawing_of(game_named(record.game_id))
    return [click.unstyle(paragraph) for paragraph in story_of_seat(record, teller, seat)]


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_every_event_is_told_once_and_in_order(setting: Setting) -> None:
    record = played(setting, 1, FAULTS)
    teller = drawing_of(setting.game)
    names = [entrant.name for entrant in record.entrants]
    sentences = [click.unstyle(teller.tell(event, names)) for event in events_of(record)]
    for paragraphs in (told(record), told(record, hidden=True), *(seen(record, s) for s in (0, 1))):
        text = "\n".join(paragraphs)
        at = 0
        for sentence in sentences:
            at = text.index(sentence, at) + len(sentence)


def test_each_decision_has_its_thinking_time() -> None:
    record = played(setting_of("meow", 3), 1, FAULTS)
    times = iter((4, 12_345, 2_300_000))
    decisions = tuple(
        d._replace(time_us=next(times, 0)) if d.how is How.CHOSEN else d for d in record.decisions
    )
    text = "\n".join(told(replace(record, decisions=decisions)))
    assert [time for time in re.findall(r"\((.*?)\)", text) if time != "0 µs"][:3] == [
        "4 µs",
        "12.3 ms",
        "2.3 s",
    ]
    assert len(re.findall(r"\((?:\d.* .?s|forced|stand-in)\)", text)) == len(decisions)


def test_a_fault_is_told_where_it_happened() -> None:
    record = played(setting_of("meow", 3), 1, FAULTS)
    number = next(n for n, d in enumerate(record.decisions) if d.how is How.STAND_IN)
    paragraphs = told(record)
    # The title and the deal come before the first decision.
    assert "bot-1 faulted (crashed): seat 1 broke — at request 2." in paragraphs[2 + number]
    assert "A stand-in plays on" not in "".join(paragraphs[: 2 + number])
    assert "crashed" in placing(record)


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_all_tells_the_hidden_cards_and_the_rest_does_not(game_id: str) -> None:
    record = played(setting_of(game_id, 3), 1)
    assert re.search(" holds | face down ", "\n".join(told(record, hidden=True)))
    assert not re.search(" holds | face down ", "\n".join(told(record)))


@pytest.mark.parametrize("game_id", GAME_IDS)
@pytest.mark.parametrize("seat", [0, 2])
def test_a_seat_sees_its_view_before_each_of_its_decisions(game_id: str, seat: int) -> None:
    record = played(setting_of(game_id, 3), 2)
    game = game_named(game_id)
    draw = drawing_of(game).draw
    text = "\n".join(seen(record, seat))
    at = 0
    for number, (_, state) in enumerate(replayed(record)):
        if number < len(record.decisions) and record.decisions[number].seat == seat:
            view = click.unstyle(draw(game.view_of(state, seat)))
            choice = f"bot-{seat} decides: {game.action_text(record.decisions[number].action)}"
            at = text.index(f"{view}\n{choice}", at) + 1
    assert text.count(" decides: ") == sum(d.seat == seat for d in record.decisions)


def test_no_card_of_another_hand_is_named_before_it_is_played() -> None:
    record = played(setting_of("meow", 4), 3, FAULTS)
    game = game_named("meow")
    for seat in (0, 1, 3):
        known: set[str] = set()
        paragraphs = iter(seen(record, seat)[1:])
        for _, state in replayed(record):
            view = game.view_of(state, seat)
            in_the_open = (card for cards in view.played for card in cards)
            known |= {game.action_text(card) for card in (*view.hand, *in_the_open)}
            named = set(re.findall(r"\b[PBG]\d+\b", next(paragraphs)))
            assert named <= known


def twins(setting: Setting) -> Iterator[tuple[int, Record, Record]]:
    """Find true matches that differ in nothing but one secret choice before the first turn."""
    record = played(setting, 1)
    for number, (_, state) in zip(range(setting.seats), replayed(record), strict=False):
        seat, chosen, *_ = record.decisions[number]
        for action in state.legal_actions()[:4]:
            decisions = list(record.decisions)
            decisions[number] = decisions[number]._replace(action=action)
            other = replace(record, decisions=tuple(decisions))
            if action != chosen and not verify(other) and events_of(other) == events_of(record):
                yield seat, record, other


def test_a_secret_choice_shows_to_nobody_else() -> None:
    found = list(twins(setting_of("trio", 4, "simple-teams")))
    for chooser, one, two in found:
        for seat in range(4):
            assert (seen(one, seat) == seen(two, seat)) == (seat != chooser)
        assert told(one) == told(two)
        assert told(one, hidden=True) != told(two, hidden=True)
    assert found


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_a_seats_story_tells_neither_the_seed_nor_the_others_clocks(game_id: str) -> None:
    record = played(setting_of(game_id, 3), 4, FAULTS)
    slower = tuple(
        d._replace(time_us=d.time_us + 77_000_000) if d.seat != 2 and d.how is How.CHOSEN else d
        for d in record.decisions
    )
    assert seen(record, 2) == seen(replace(record, decisions=slower), 2)
    assert record.seed.hex() not in "\n".join(seen(record, 2))
    assert " faulted " not in "\n".join(seen(record, 2))
    assert "bot-1 faulted" in "\n".join(seen(record, 1))


def test_a_name_cannot_play_tricks_with_the_terminal() -> None:
    record = played(setting_of("meow", 2), 1)
    record = replace(record, entrants=(Entrant("\x1b[2Jgone\n"), Entrant("b")))
    assert "\x1b" not in "\n".join(told(record) + seen(record, 0))
    assert "�[2Jgone�" in told(record)[0]
