"""Transcripts are complete; a seat's transcript has only what that seat knew."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import click
import pytest

from arena.cli.drawing import drawing_of
from arena.games.conformance import Setting
from arena.games.registry import GAME_IDS, game_named
from arena.records import Entrant, How, Record, SeatEnding, events_of, replay_record
from arena.replays.transcript import player_names, result_table, seat_transcript, transcript
from arena.replays.verify import verify
from tests.builders.records import recorded_match, setting_of
from tests.builders.settings import LARGEST

FAULTS = {1: (2, SeatEnding.CRASHED)}


def transcript_of(record: Record, *, hidden: bool = False) -> list[str]:
    """Return the transcript of a match, without colours."""
    return [click.unstyle(paragraph) for paragraph in transcript(record, hidden=hidden)]


def seat_transcript_of(record: Record, seat: int) -> list[str]:
    """Return the transcript of one seat, without colours."""
    draw = drawing_of(game_named(record.game_id)).draw
    return [click.unstyle(paragraph) for paragraph in seat_transcript(record, seat, draw)]


@pytest.mark.parametrize("setting", LARGEST, ids=str)
def test_every_event_is_narrated_once_and_in_order(setting: Setting) -> None:
    record = recorded_match(setting, 1, FAULTS)
    names = [entrant.name for entrant in record.entrants]
    sentences = [setting.game.narrate(event, names) for event in events_of(record)]
    for paragraphs in (
        transcript_of(record),
        transcript_of(record, hidden=True),
        *(seat_transcript_of(record, s) for s in (0, 1)),
    ):
        text = "\n".join(paragraphs)
        at = 0
        for sentence in sentences:
            at = text.index(sentence, at) + len(sentence)


def test_each_decision_has_its_thinking_time() -> None:
    record = recorded_match(setting_of("meow", 3), 1, FAULTS)
    times = iter((4, 12_345, 2_300_000))
    decisions = tuple(
        d._replace(time_us=next(times, 0)) if d.how is How.CHOSEN else d for d in record.decisions
    )
    text = "\n".join(transcript_of(replace(record, decisions=decisions)))
    assert [time for time in re.findall(r"\((.*?)\)", text) if time != "0 µs"][:3] == [
        "4 µs",
        "12.3 ms",
        "2.3 s",
    ]
    assert len(re.findall(r"\((?:\d.* .?s|forced|stand-in)\)", text)) == len(decisions)


def test_a_fault_is_shown_where_it_happened() -> None:
    record = recorded_match(setting_of("meow", 3), 1, FAULTS)
    number = next(n for n, d in enumerate(record.decisions) if d.how is How.STAND_IN)
    paragraphs = transcript_of(record)
    # The title and the deal come before the first decision.
    assert "bot-1 faulted (crashed): seat 1 broke — at request 2." in paragraphs[2 + number]
    assert "A stand-in plays on" not in "".join(paragraphs[: 2 + number])
    assert "crashed" in result_table(record)


def test_the_title_and_the_result_name_the_variant_the_versions_and_the_teams() -> None:
    teams = game_named("trio").parameters_form.read("mode=spicy teams=yes turn_cap=9")
    record = recorded_match(replace(setting_of("trio", 4), parameters=teams), 1)
    versions = tuple(Entrant(f"bot-{seat}", str(seat)) for seat in range(1, 4))
    record = replace(record, entrants=(Entrant("bot-0"), *versions))
    assert transcript_of(record)[0].startswith(
        "Trio, spicy-teams turn_cap=9, 4 players: bot-0, bot-1@1, bot-2@2, bot-3@3"
    )
    heading, *lines = result_table(record).strip().split("\n")
    assert heading.split() == ["place", "seat", "player", "team", "trios"]
    cells = sorted(line.split()[1:4] for line in lines)
    names = ["bot-0", "bot-1@1", "bot-2@2", "bot-3@3"]
    assert cells == [[str(seat), name, str(seat % 2)] for seat, name in enumerate(names)]


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_hidden_cards_are_shown_only_on_request(game_id: str) -> None:
    record = recorded_match(setting_of(game_id, 3), 1)
    assert re.search(" holds | face down ", "\n".join(transcript_of(record, hidden=True)))
    assert not re.search(" holds | face down ", "\n".join(transcript_of(record)))


@pytest.mark.parametrize("game_id", GAME_IDS)
@pytest.mark.parametrize("seat", [0, 2])
def test_a_seat_sees_its_view_before_each_of_its_decisions(game_id: str, seat: int) -> None:
    record = recorded_match(setting_of(game_id, 3), 2)
    game = game_named(game_id)
    draw = drawing_of(game).draw
    text = "\n".join(seat_transcript_of(record, seat))
    at = 0
    for number, (_, state) in enumerate(replay_record(record)):
        if number < len(record.decisions) and record.decisions[number].seat == seat:
            view = click.unstyle(draw(game.view_of(state, seat), names=player_names(record)))
            choice = f"bot-{seat} decides: {game.action_text(record.decisions[number].action)}"
            at = text.index(f"{view}\n{choice}", at) + 1
    assert text.count(" decides: ") == sum(d.seat == seat for d in record.decisions)


def test_no_card_of_another_hand_is_named_before_it_is_played() -> None:
    record = recorded_match(setting_of("meow", 4), 3, FAULTS)
    game = game_named("meow")
    for seat in (0, 1, 3):
        known: set[str] = set()
        paragraphs = iter(seat_transcript_of(record, seat)[1:])
        for _, state in replay_record(record):
            view = game.view_of(state, seat)
            public = (card for cards in view.played for card in cards)
            known |= {game.action_text(card) for card in (*view.hand, *public)}
            named = set(re.findall(r"\b[PBG]\d+\b", next(paragraphs)))
            assert named <= known


def matches_with_another_secret_choice(setting: Setting) -> Iterator[tuple[int, Record, Record]]:
    """Yield pairs of valid matches that differ only in one secret choice before the first turn."""
    record = recorded_match(setting, 1)
    for number, (_, state) in zip(range(setting.seats), replay_record(record), strict=False):
        seat, chosen, *_ = record.decisions[number]
        for action in state.legal_actions()[:4]:
            decisions = list(record.decisions)
            decisions[number] = decisions[number]._replace(action=action)
            other = replace(record, decisions=tuple(decisions))
            if action != chosen and not verify(other) and events_of(other) == events_of(record):
                yield seat, record, other


def test_a_secret_choice_is_shown_only_to_its_own_seat() -> None:
    found = [*islice(matches_with_another_secret_choice(setting_of("trio", 4, "simple-teams")), 2)]
    for chooser, one, two in found:
        for seat in range(4):
            assert (seat_transcript_of(one, seat) == seat_transcript_of(two, seat)) == (
                seat != chooser
            )
        assert transcript_of(one) == transcript_of(two)
        assert transcript_of(one, hidden=True) != transcript_of(two, hidden=True)
    assert found


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_a_seats_transcript_has_neither_the_seed_nor_the_others_clocks(game_id: str) -> None:
    record = recorded_match(setting_of(game_id, 3), 4, FAULTS)
    slower = tuple(
        d._replace(time_us=d.time_us + 77_000_000) if d.seat != 2 and d.how is How.CHOSEN else d
        for d in record.decisions
    )
    assert seat_transcript_of(record, 2) == seat_transcript_of(replace(record, decisions=slower), 2)
    assert record.seed.hex() not in "\n".join(seat_transcript_of(record, 2))
    assert " faulted " not in "\n".join(seat_transcript_of(record, 2))
    assert "bot-1 faulted" in "\n".join(seat_transcript_of(record, 1))


def test_a_name_cannot_control_the_terminal() -> None:
    record = recorded_match(setting_of("meow", 2), 1)
    record = replace(record, entrants=(Entrant("\x1b[2Jgone\n"), Entrant("b")))
    assert "\x1b" not in "\n".join(transcript_of(record) + seat_transcript_of(record, 0))
    assert "�[2Jgone�" in transcript_of(record)[0]
