"""Pictures of matches: whole files, with the cards that one may see and no others."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from arena.errors import BadInput
from arena.games.registry import game_named
from arena.pages.pictures import DEAL, PREVIEW, Row, picture_of, preview_of
from arena.pages.template import art_of
from arena.records import Record
from arena.replays.format import write_replay
from tests.cli.runner import arena
from tests.pages.replays import ATTACKS, SHORT, hostile

every_match = pytest.mark.parametrize("record", SHORT.values(), ids=SHORT)
SVG = "{http://www.w3.org/2000/svg}"


def used(svg: str) -> list[str]:
    """Return the pieces that a picture shows; every one of them has to be drawn in it."""
    root = ElementTree.fromstring(svg)
    drawn = {each.get("id") for each in root.iter() if each.get("id")}
    shown = [(each.get("href") or "").removeprefix("#") for each in root.iter(f"{SVG}use")]
    assert set(shown) <= drawn
    return [each.removeprefix("piece-") for each in shown if each.startswith("piece-")]


@every_match
def test_every_step_can_be_drawn_with_all_cards(record: Record) -> None:
    game = game_named(record.game_id)
    known = art_of(game, game.parameters_form.read(record.parameters)).pieces
    names = {name.replace(" ", "-") for name in known}
    for decision in range(DEAL, len(record.decisions), 7):
        assert set(used(picture_of(record, decision))) <= names
    assert "back" not in used(picture_of(record, DEAL))


@pytest.mark.parametrize("name", ["trio", "meow", "lifeislife"])
def test_a_seat_sees_its_own_cards_and_the_backs_of_others(name: str) -> None:
    record = SHORT[name]
    shown = used(picture_of(record, DEAL, seat=1))
    assert "back" in shown
    assert shown != used(picture_of(record, DEAL, seat=0))
    everything = used(picture_of(record, DEAL))
    assert [each for each in shown if each != "back"] != everything
    assert len(shown) <= len(everything)


def test_moments_are_shown_one_after_another_and_the_last_alone_without_motion() -> None:
    svg = picture_of(SHORT["meow"], 12, last=5)
    assert [f'id="frame-{n}"' in svg for n in range(6)] == [True] * 5 + [False]
    assert "prefers-reduced-motion:reduce" in svg
    assert "animation" not in picture_of(SHORT["meow"], 12)


def test_a_picture_for_a_message_has_its_size_and_does_not_show_the_end() -> None:
    record = SHORT["meow"]
    root = ElementTree.fromstring(picture_of(record, size=PREVIEW))
    assert (root.get("width"), root.get("height")) == ("1200", "630")
    label = root.get("aria-label") or ""
    found = re.search(r"decision (\d+)", label)
    assert found
    assert int(found[1]) < len(record.decisions)


def test_a_decision_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadInput, match="there is no decision 999: the match has decisions 0 to"):
        picture_of(SHORT["meow"], 999)


@every_match
def test_hostile_names_are_text_in_a_picture(record: Record) -> None:
    svg = picture_of(hostile(record), 0)
    tags = [each.tag for each in ElementTree.fromstring(svg).iter()]
    assert tags == [each.tag for each in ElementTree.fromstring(picture_of(record, 0)).iter()]
    attacked = preview_of(ATTACKS[0], ATTACKS[1], [Row(ATTACKS[0], ATTACKS[1], 2.0)])
    assert not [each for each in ElementTree.fromstring(attacked).iter() if "script" in each.tag]


def test_the_command_draws_the_table_after_a_decision(tmp_path: Path) -> None:
    replay, target = tmp_path / "match.replay", tmp_path / "step.svg"
    replay.write_bytes(write_replay(SHORT["meow"]))
    result = arena("replay", "picture", replay, "--decision", 7, "-o", target)
    assert (result.exit_code, result.output) == (0, f"wrote {target}\n")
    assert target.read_text(encoding="utf-8") == picture_of(SHORT["meow"], 7)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("-o", "x.gif"), "a picture is .svg or .png"),
        (("-o", "x.png", "--last", 3), "a PNG shows one moment"),
        (("-o", "x.svg", "--decision", 9999), "there is no decision 9999"),
        (("-o", "x.svg", "--decision", "-1"), "neither a number nor 'deal'"),
        (("-o", "x.svg", "--decision", "9" * 5000), "neither a number nor 'deal'"),
        (("-o", "x.svg", "--seat", 9), "has no seat 9"),
    ],
)
def test_a_usage_error_in_replay_picture_exits_with_2(
    words: tuple[object, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("match.replay").write_bytes(write_replay(SHORT["meow"]))
    result = arena("replay", "picture", "match.replay", *words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["match.replay"]
