"""Event files are read correctly, and every mistake in them is reported."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import BadInput
from arena.submission.limits import LIMIT_NAMES, MAXIMUM, MINIMUM
from arena.tournament.spec import WHOLE_ORDER, BadSpec, Goal, Kind, Spec, check_spec, read_duration
from arena.tournament.spec_files import read_spec, spec_document, spec_from_document

ALL_KEYS = """
kind = "swiss"
game = "trio"
name = "autumn-cup"
bots = ["kitten", "kitten@2", "lion"]
variant = ["spicy"]
seats = 5
deals = 3
rounds = 4
clock = "cpu:10+0.1"
seed = 9
cage = "none"
freeze = true
keep_authors_apart = true

[limits]
memory_mib = 256
"""


def write_spec(folder: Path, text: str) -> Path:
    """Write an event file."""
    path = folder / "cup.toml"
    path.write_text(text, encoding="utf-8")
    return path


def message_for(folder: Path, text: str) -> str:
    """Return the message about a wrong file, without its folder."""
    with pytest.raises(BadSpec) as caught:
        read_spec(write_spec(folder, text))
    return str(caught.value).removeprefix(f"{folder}/")


def test_a_file_may_have_all_keys(tmp_path: Path) -> None:
    assert read_spec(write_spec(tmp_path, ALL_KEYS)) == Spec(
        Kind.SWISS,
        "trio",
        name="autumn-cup",
        bots=("kitten", "kitten@2", "lion"),
        variant=("spicy",),
        seats=5,
        deals=3,
        rounds=4,
        clock="cpu:10+0.1",
        seed=9,
        cage="none",
        freeze=True,
        keep_authors_apart=True,
        limits={"memory_mib": 256},
    )


def test_a_file_needs_only_kind_and_game(tmp_path: Path) -> None:
    path = write_spec(tmp_path, 'game = "meow"\nkind = "round-robin"')
    assert read_spec(path) == Spec(Kind.ROUND_ROBIN, "meow")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("kind = swiss", "cup.toml, line 1: invalid TOML (invalid value)"),
        ('game = "meow"\n\n', "cup.toml, line 1: 'kind' is missing (the file ends here)"),
        (
            'kind = "swiss"\n[limits]\ngame = "meow"',
            "cup.toml, line 3: 'game' is missing: it is here under [limits], move it "
            "above that line",
        ),
        (
            'kind = "swiss"\ngame = "meow"\nseat = 4',
            "cup.toml, line 3: 'seat' is not a key of cup.toml: did you mean seats?",
        ),
        (
            'kind = "knockout"\ngame = "meow"',
            "cup.toml, line 1: 'kind' is 'knockout': it must be round-robin, swiss, ladder or "
            "gauntlet",
        ),
        (
            'kind = "swiss"\ngame = "moew"',
            "cup.toml, line 2: 'game' is wrong: no such game: 'moew'; did you mean meow?",
        ),
        (
            'kind = "swiss"\n# a comment\nseats = "4"\ngame = "meow"',
            "cup.toml, line 3: 'seats' is '4': it must be a whole number",
        ),
        (
            'kind = "swiss"\ngame = "meow"\ndeals = true',
            "cup.toml, line 3: 'deals' is True: it must be a whole number",
        ),
        (
            'kind = "swiss"\ngame = "meow"\nbots = "kitten"',
            "cup.toml, line 3: 'bots' is 'kitten': it must be a list of strings, such as "
            '["kitten", "kitten@2"]',
        ),
        (
            'kind = "swiss"\ngame = "meow"\nseed = -1',
            "cup.toml, line 3: 'seed' is wrong: seed -1 is negative: seeds are whole numbers "
            "from 0",
        ),
        (
            'kind = "swiss"\ngame = "meow"\nfreeze = 1',
            "cup.toml, line 3: 'freeze' is 1: it must be true or false",
        ),
        (
            'kind = "swiss"\ngame = "trio"\nclock = "fast"\nseats = 2',
            "cup.toml, line 3: 'clock' is wrong: clock: 'fast' is not BANK+INC in seconds, such as "
            "60+0.5 or 10, or cpu:60+0.5 for CPU time",
        ),
        (
            'kind = "swiss"\ngame = "trio"\nseats = 2',
            "cup.toml, line 3: 'seats' is wrong: trio cannot seat 2: it takes 3, 4, 5, 6 players "
            "here",
        ),
        (
            'seats = 5\nkind = "swiss"\ngame = "trio"\nvariant = ["simple-teams"]',
            "cup.toml, line 4: 'variant' is wrong: trio cannot seat 5: it takes 4, 6 players here",
        ),
        (
            'kind = "swiss"\ngame = "meow"\nmatches = 100',
            "cup.toml, line 3: 'matches' is wrong: a Swiss event can be limited by rounds, not by "
            "matches",
        ),
        (
            'kind = "round-robin"\ngame = "meow"\nmatches = 100\nrounds = 2',
            "cup.toml, line 4: 'rounds' is wrong: rounds and matches cannot both be limited",
        ),
        (
            'kind = "swiss"\ngame = "meow"\n\n[limits]\nmemory_mib = 256\nfiles = 1',
            "cup.toml, line 6: 'limits' is wrong: limit files is 1: it must be from 32 to 4096",
        ),
        (
            'kind = "swiss"\ngame = "meow"\nlimits = { memory = 1 }',
            "cup.toml, line 3: 'limits' is wrong: unknown limit 'memory': did you mean memory_mib?",
        ),
        (
            'kind = "swiss"\ngame = "meow"\nname = "autumn\\u001b[2Jcup"',
            "cup.toml, line 3: 'name' is wrong: name is 'autumn\\x1b[2Jcup': it must be at most 60 "
            "letters, digits, dots, dashes and underscores, starting with a letter or digit",
        ),
    ],
)
def test_a_mistake_in_a_file_is_reported_with_its_line_and_key(
    tmp_path: Path, text: str, sentence: str
) -> None:
    assert message_for(tmp_path, text) == sentence


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(BadSpec, match=r"cup\.toml cannot be read: No such file or directory"):
        read_spec(tmp_path / "cup.toml")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"cage": "zoo"}, "unknown cage 'zoo'"),
        ({"deals": 0}, "deals is 0: it must be from 1 to 1,000,000"),
        ({"rounds": 0}, "rounds is 0: it must be from 1"),
        ({"matches": 10**7}, "matches is 10000000: it must be from 1"),
        ({"seats": 7}, "meow cannot seat 7"),
        ({"variant": ("kind",)}, "meow has no variant 'kind'"),
        ({"variant": ("size=3",)}, "meow has no parameter 'size'"),
        ({"clock": "0+1"}, "a bank of 0 seconds leaves no time to think"),
        ({"name": "-rf"}, "name is '-rf'"),
        ({"name": "a cup"}, "name is 'a cup'"),
        ({"name": "x" * 61}, "it must be at most 60 letters"),
        ({"limits": {"files": 1}}, "limit files is 1"),
        ({"duration": "2h"}, "only a ladder can be limited by its duration"),
        ({"kind": Kind.LADDER, "duration": "2 hours"}, "'2 hours' is not a duration, such as 45s"),
        ({"until_sure": -1}, "until_sure is -1: it must be a number of places, or 0 for the order"),
        ({"error": 0.0}, "error is 0.0: it must be above 0 and at most 0.5"),
    ],
)
def test_an_impossible_spec_is_refused_with_a_reason(
    changes: dict[str, Any], sentence: str
) -> None:
    spec = Spec(Kind.ROUND_ROBIN, "meow")
    assert check_spec(spec) is spec
    with pytest.raises(BadInput) as caught:
        check_spec(replace(spec, **changes))
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("text", "seconds"), [("45s", 45), ("90m", 5400), ("2h", 7200), ("1h30m", 5400), ("1m1s", 61)]
)
def test_a_duration_is_read(text: str, seconds: int) -> None:
    assert read_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "2", "h", "0s", "-1h", "1.5h", "30m1h", "1 h"])
def test_what_is_not_a_duration_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="is not a duration"):
        read_duration(text)


def test_an_event_has_a_goal_if_it_is_to_be_sure_or_has_no_other_end() -> None:
    assert Spec(Kind.SWISS, "meow").goal is None
    assert Spec(Kind.SWISS, "meow", until_sure=3, error=0.01).goal == Goal(3, 0.01)
    assert Spec(Kind.LADDER, "meow").goal == Goal(WHOLE_ORDER, 0.05)
    for limit in ({"rounds": 3}, {"matches": 9}, {"duration": "2h"}):
        assert Spec(Kind.LADDER, "meow", **limit).goal is None


texts = st.text(max_size=20)
limits = st.dictionaries(st.sampled_from(LIMIT_NAMES), st.integers(0, 9)).map(
    lambda added: {
        name: min(getattr(MINIMUM, name) + n, getattr(MAXIMUM, name)) for name, n in added.items()
    }
)


@settings(max_examples=20)
@given(
    st.builds(
        Spec,
        kind=st.sampled_from(Kind),
        game=texts,
        name=texts,
        bots=st.lists(texts).map(tuple),
        against=st.lists(texts).map(tuple),
        teams=st.lists(texts).map(tuple),
        variant=st.lists(texts).map(tuple),
        seats=st.none() | st.integers(),
        deals=st.integers(),
        rounds=st.none() | st.integers(),
        matches=st.none() | st.integers(),
        duration=st.none() | texts,
        until_sure=st.none() | st.integers(),
        error=st.floats(0, 1),
        clock=texts,
        seed=st.integers(),
        cage=texts,
        freeze=st.booleans(),
        limits=limits,
    )
)
def test_a_stored_spec_is_read_back_unchanged(spec: Spec) -> None:
    assert spec_from_document(json.loads(json.dumps(spec_document(spec)))) == spec


def test_a_stored_spec_has_every_field() -> None:
    document = spec_document(Spec(Kind.SWISS, "meow"))
    # Where it is played is not stored.
    assert list(document) == [field.name for field in fields(Spec) if field.name != "workers"]
