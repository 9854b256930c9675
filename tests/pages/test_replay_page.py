"""A page is one file, and no name can add elements to it."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.pages.template import templates
from arena.records import Record
from arena.replays.format import write_replay
from tests.builders.leagues import league_with_stopped_event
from tests.cli.runner import arena
from tests.pages.replays import SHORT, Elements, hostile, page_of

every_match = pytest.mark.parametrize("record", SHORT.values(), ids=SHORT)
values = st.recursive(
    st.none() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(values)
def test_data_is_read_back_and_never_ends_its_element(value: Any) -> None:
    text = templates("arena.pages").from_string("{{ value|tojson }}").render(value=value)
    assert json.loads(text) == value
    assert text.isascii()
    assert not set(text) & set("<>&")


@every_match
def test_hostile_names_add_no_element_and_no_attribute(record: Record) -> None:
    assert Elements(page_of(hostile(record))).tags == Elements(page_of(record)).tags


@every_match
def test_hostile_names_appear_in_the_title_as_text(record: Record) -> None:
    (title,) = Elements(page_of(hostile(record))).texts["title"]
    assert " wins " in title or " win " in title
    assert title.startswith(("<", "</script><script>window.ran = 1</script>"))


@every_match
def test_the_policy_allows_exactly_one_script_and_one_style(record: Record) -> None:
    elements = Elements(page_of(hostile(record)))
    data, script = elements.texts["script"]
    (style,) = elements.texts["style"]
    assert json.loads(data)["game"] == record.game_id
    assert "unsafe" not in elements.policy
    assert elements.policy.startswith("default-src 'none'; ")
    for kind, text in (("script", script), ("style", style)):
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}';" in elements.policy


@every_match
def test_a_page_requests_nothing_else(record: Record) -> None:
    page = page_of(record)
    addresses = set(re.findall(r"https?://[^\"'\s]*", page))
    # The XML namespace of SVG looks like an address, but nothing is fetched from it.
    assert addresses == {"http://www.w3.org/2000/svg"}
    links = re.findall(r"\b(?:src|href)=\"(.{5})", page)
    assert {each for each in links if not each.startswith("#")} == {"data:"}
    assert not re.search(r"@import|url\(|innerHTML|fetch\(", page)


def test_the_command_writes_the_page(tmp_path: Path) -> None:
    replay = tmp_path / "match.replay"
    replay.write_bytes(write_replay(SHORT["meow"]))
    for seat in (None, 1):
        page = tmp_path / f"{seat}.html"
        words = () if seat is None else ("--seat", seat)
        result = arena("replay", "html", replay, "-o", page, *words)
        assert (result.exit_code, result.output) == (0, f"wrote {page}\n")
        assert page.read_text(encoding="utf-8") == page_of(SHORT["meow"], seat)


def test_a_page_of_a_league_match_is_requested_by_event_and_number(tmp_path: Path) -> None:
    db = league_with_stopped_event(tmp_path)
    page = tmp_path / "cup.html"
    result = arena("replay", "html", "cup/0", "-o", page, "--db", db)
    assert (result.exit_code, result.output) == (0, f"wrote {page}\n")
    assert " MEOW, " in Elements(page.read_text(encoding="utf-8")).texts["title"][0]
    assert "<title>" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("{replay}",), "Missing option '-o'"),
        (("{replay}", "-o", "{folder}"), "is a directory"),
        (("{replay}", "-o", "{folder}/nowhere/a.html"), "nowhere/a.html"),
        (("{replay}", "-o", "{folder}/a.html", "--seat", 3), "has no seat 3: its seats are 0 to 2"),
        (("{folder}/none.replay", "-o", "{folder}/a.html"), "is neither a replay file nor"),
    ],
)
def test_a_usage_error_in_replay_html_exits_with_2_and_a_message(
    words: tuple[Any, ...], message: str, tmp_path: Path
) -> None:
    replay = tmp_path / "match.replay"
    replay.write_bytes(write_replay(SHORT["meow"]))
    named = (str(word).format(replay=replay, folder=tmp_path) for word in words)
    result = arena("replay", "html", *named)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not (tmp_path / "a.html").exists()
