"""Exported matches are complete, and README.md explains every name."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena import replays
from arena.games.conformance import Setting
from arena.games.registry import game_named
from arena.records import SeatEnding, replay_record
from arena.replays.export import document
from tests.builders.records import recorded_match, setting_of
from tests.builders.settings import LARGEST

README = Path(replays.__file__).with_name("README.md").read_text(encoding="utf-8")
FAULTS = {1: (2, SeatEnding.ILLEGAL_ACTION), 0: (3, SeatEnding.CRASHED)}


def export_match(setting: Setting, seed: int) -> Any:
    """Export a match with faults, through JSON; its values differ in type, hence Any."""
    return json.loads(json.dumps(document(recorded_match(setting, seed, FAULTS))))


def steps(match: Any) -> list[Any]:
    """Return the start and all decisions."""
    return [match["start"], *match["decisions"]]


@pytest.mark.parametrize("setting", LARGEST, ids=str)
def test_the_match_can_be_replayed_from_the_export(setting: Setting) -> None:
    match = export_match(setting, 3)
    game = game_named(match["game"])
    words = " ".join(f"{name}={value}" for name, value in match["parameters"].items())
    parameters = game.parameters_form.read(words)
    state = game.start(
        len(match["players"]), bytes.fromhex(match["seed"]), parameters, recording=True
    )
    for decision in match["decisions"]:
        assert decision["seat"] == state.to_act
        assert game.parse_action(decision["action"]) == decision["index"]
        state.apply(decision["index"])
    texts = [event["text"] for step in steps(match) for event in step["events"]]
    assert [game.event_form.read(text) for text in texts] == state.events
    assert match["outcome"]["places"] == list(state.outcome().places)
    assert match["outcome"]["scores"] == list(state.outcome().scores)
    assert len(match["faults"]) == 2


@pytest.mark.parametrize("setting", LARGEST, ids=str)
def test_every_card_is_in_the_deal_or_public(setting: Setting) -> None:
    game = setting.game
    state = game.start(setting.seats, bytes(32), setting.parameters, recording=True)
    deal = game.hidden_cards(state)
    hidden = sum(map(len, deal.hands)) + len(deal.face_down)
    if game.id == "jackal":
        public = 1 + len(state.cards) + sum(state.under) + state.gone
    else:
        public = 10 if game.id == "lifeislife" else 0
    # The inventory also counts the tokens of MEOW and the dice owners of Jackal & High.
    others = {"meow": 27, "jackal": setting.seats}.get(game.id, 0)
    assert hidden + public == len(state.inventory()) - others


@pytest.mark.parametrize("setting", LARGEST, ids=str)
def test_a_hand_in_the_deal_is_the_hand_in_its_owners_view(setting: Setting) -> None:
    field = {"trio": "hand", "meow": "hand_mask", "lifeislife": "hand_herd"}.get(setting.game.id)
    for step in steps(export_match(setting, 4)):
        deal = step["deal"] or {"hands": [], "views": []}
        for hand, view in zip(deal["hands"], deal["views"], strict=True):
            if field:
                assert f"\n{field}: {' '.join(hand) or '-'}\n" in view


def test_the_deck_of_jackal_lists_cards_in_the_order_they_are_drawn() -> None:
    record = recorded_match(setting_of("jackal", 3), 2)
    match = document(record)
    before = match["start"]["deal"]["face_down"]
    drawn = []
    for step in match["decisions"]:
        for event in step["events"]:
            drawn += [str(card) for card in event["fields"].get("drawn", ())]
    assert len(drawn) > 5
    assert before[: len(drawn)] == drawn


@pytest.mark.parametrize(("game_id", "variant"), [("meow", "expert"), ("trio", "spicy-teams")])
def test_no_hand_gains_a_card_without_a_deal(game_id: str, variant: str) -> None:
    record = recorded_match(setting_of(game_id, 4, variant), 5)
    listed: list[Counter[str]] = []
    for step, (_, state) in zip(steps(document(record)), replay_record(record), strict=True):
        if step["deal"]:
            listed = [Counter(hand) for hand in step["deal"]["hands"]]
        hands = [Counter(hand) for hand in game_named(game_id).hidden_cards(state).hands]
        assert all(hand <= before for hand, before in zip(hands, listed, strict=True))


def test_fields_have_the_types_of_their_values() -> None:
    match = export_match(setting_of("lifeislife", 3), 1)
    fields = {e["kind"]: e["fields"] for step in steps(match) for e in step["events"]}
    assert [row.count("+") for row in fields["round"]["rows"]] == [0, 1, 2, 3]
    assert isinstance(fields["swapped"]["row"], int)
    assert all(isinstance(lives, int) for lives in fields["scored"]["lost"])
    (team_event, *_) = (
        event["fields"]
        for step in steps(export_match(setting_of("trio", 4, "simple-teams"), 1))
        for event in step["events"]
        if event["kind"] == "settled"
    )
    assert isinstance(team_event["swapped"], bool)


def test_a_fault_comes_with_its_evidence() -> None:
    match = export_match(setting_of("meow", 3), 6)
    (illegal,) = (fault for fault in match["faults"] if fault["seat"] == 1)
    decision = match["decisions"][illegal["decision"]]
    assert (decision["seat"], decision["how"]) == (1, "stand-in")
    assert bytes.fromhex(illegal["request"]) == b"asked"
    assert bytes.fromhex(illegal["reply"]) == b"said"
    assert illegal["ending"] == "illegal_action"
    assert illegal["stderr"] == "printed \\xff"
    assert illegal["time_left_s"] == 59.5


def names_in(value: Any) -> Iterator[str]:
    """List every name in a document."""
    if isinstance(value, dict):
        yield from value
        for inner in value.values():
            yield from names_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from names_in(inner)


def section(title: str) -> str:
    """Return the part of the README from a title to the next."""
    return re.split(r"^#+ ", README.partition(f"# {title}\n")[2], flags=re.MULTILINE)[0]


@pytest.mark.parametrize("setting", LARGEST, ids=str)
def test_the_readme_explains_every_name(setting: Setting) -> None:
    match = export_match(setting, 7)
    general = section("The exported document")
    events = section("The events of each game").partition(f"\n{setting.game.title} (")[2]
    of_this_game = events.partition("\n\n|")[0] + events.partition("\n\n|")[2].partition("\n\n")[0]
    for step in steps(match):
        for event in step["events"]:
            for name in (event["kind"], *event.pop("fields")):
                assert f"`{name}`" in of_this_game, name
    for name in match.pop("parameters"):
        assert f"`{name}`" in of_this_game, name
    for name in {*names_in(match), "parameters", "fields"}:
        assert f"`{name}`" in general, name
