"""What a bot notes with its decisions is shown where its seat is, and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.replays.format import read_replay
from tests.cages import cage
from tests.cli.runner import arena

CAGE = ("--cage", cage().name)
PROGRAM = """
from arena.sdk import Bot, run


class One(Bot):
    def choose(self, view):
        self.note("overwritten")
        self.note(f"{len(self.legal_actions(view))} ways\\x1b[2J")
        return self.legal_actions(view)[0]


class Many(Bot):
    def choose_many(self, views):
        for match, view in zip(self.matches, views):
            match.note(f"seat {match.seat}, {'x' * 300}\\udc80")
        return [match.game.legal_actions(view)[-1] for match, view in zip(self.matches, views)]


run(CLASS)
"""


def write_bot(folder: Path, name: str, program: str = PROGRAM) -> Path:
    path = folder / f"{name.lower()}.py"
    path.write_text(program.replace("CLASS", name), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the bots, and the replay of a match between them."""
    folder = tmp_path_factory.mktemp("notes")
    players = (write_bot(folder, "One"), write_bot(folder, "Many"))
    done = arena("play", "meow", *players, "--seed", 3, "--save", folder / "m.replay", *CAGE)
    assert done.exit_code == 0, done.output
    assert "fault" not in done.output
    # Nothing is shown at the table.
    assert "ways" not in done.output
    return folder


def test_the_replay_has_what_both_kinds_of_bots_noted(bots: Path) -> None:
    record = read_replay((bots / "m.replay").read_bytes())
    texts = [text for number, text in record.notes if record.decisions[number].seat == 0]
    assert texts[0] == "9 ways�[2J"
    texts = [text for number, text in record.notes if record.decisions[number].seat == 1]
    assert set(texts) == {f"seat 1, {'x' * 192}"}
    assert arena("replay", "verify", bots / "m.replay").exit_code == 0
    document = json.loads(arena("replay", "export", bots / "m.replay").stdout)
    notes = [step["note"] for step in document["decisions"] if "note" in step]
    assert notes == [text for _, text in record.notes]


def test_a_seat_sees_its_own_notes_alternatives_and_clock(bots: Path) -> None:
    own = arena("replay", "show", bots / "m.replay", "--seat", 0).stdout
    assert "\n  note: 9 ways�[2J\n" in own
    assert "\n  instead of " in own
    assert " s left)" in own
    assert "xxx" not in own
    everything = arena("replay", "show", bots / "m.replay", "--all").stdout
    assert "\n  note: 9 ways�[2J\n" in everything
    assert "\n  note: seat 1, xxx" in everything
    assert "note: " not in arena("replay", "show", bots / "m.replay").stdout


def test_reproduce_compares_notes(bots: Path, tmp_path: Path) -> None:
    words = ("reproduce", bots / "m.replay", "--seat", 0, *CAGE, "--bot")
    same = arena(*words, bots / "one.py").stdout
    assert "At decision 0 it noted:\n    9 ways�[2J\n" in same
    assert "In the record, it noted" not in same
    other = write_bot(tmp_path, "One", PROGRAM.replace(" ways", " choices"))
    changed = arena(*words, other).stdout
    assert "At decision 0 it noted:\n    9 choices�[2J\n" in changed
    assert "In the record, it noted at decision 0:\n    9 ways�[2J\n" in changed


def test_a_crash_shows_the_last_line_of_the_exception(tmp_path: Path) -> None:
    program = PROGRAM.replace('self.note("overwritten")', 'raise ValueError("no cat in sight")')
    path = tmp_path / "m.replay"
    bot = write_bot(tmp_path, "One", program)
    assert arena("play", "meow", bot, "random", "--save", path, *CAGE).exit_code == 0
    shown = arena("replay", "show", path).stdout
    assert "\n  ValueError: no cat in sight\nA stand-in plays on for one-0.\n" in shown
