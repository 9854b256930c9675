"""The command `arena compare`."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.builders.bots import RANDOM, ROOT, bot_folder
from tests.builders.leagues import submit_folders
from tests.cages import cage
from tests.cli.runner import arena, printed, refused
from tests.cli.terminals import arena_at_terminal, at_terminal

CAGE = ("--cage", cage().name)
GREEDY = str(ROOT / "bots" / "greedy-meow")


def compare(new: str, old: str, *words: str) -> tuple[int, dict[str, Any]]:
    """Compare two bots at MEOW; return the exit code and the document."""
    options = ("--game", "meow", "--seed", "1", "--jobs", "1", *CAGE, "--json")
    result = arena("compare", new, old, *options, *words)
    assert result.exit_code in (0, 1, 3), result.output
    return result.exit_code, json.loads(result.stdout)


def test_a_better_bot_is_found_to_be_better_with_any_number_of_workers_and_tables() -> None:
    code, document = compare(GREEDY, "random", "--error", "0.2", "--tables", "1")
    assert (code, document["verdict"]) == (0, "better")
    assert 0 < document["low"] < document["difference"] < document["high"] <= 1
    assert document["matches"] == 2 * document["deals"] < 200
    assert document["faults"] == []
    many = ("--jobs", "2", "--tables", "64")
    assert compare(GREEDY, "random", "--error", "0.2", *many) == (code, document)


def test_a_worse_bot_is_found_to_be_worse_and_exits_with_1() -> None:
    code, document = compare("random", "greedy-meow", "--opponents", "random", "--error", "0.2")
    assert (code, document["verdict"]) == (1, "worse")
    assert document["high"] < 0
    assert document["seats"] == 2
    assert document["opponents"] == ["random (house bot)"]
    assert document["matches"] == 2 * document["deals"]


def test_the_report_says_what_was_measured_and_saved() -> None:
    words = ("--game", "meow", "--opponents", "greedy-meow", "--seats", "4", "--seed", "1")
    result = printed(
        arena("compare", "greedy-meow", "random", *words, "--jobs", "1", "--explain", *CAGE)
    )
    assert result.startswith("new: greedy-meow (house bot)\nold: random (house bot)\n")
    certain = (
        r"\nBetter by at least 0\.\d{3} points a match \(95 %, whenever you stop\); so far 0\."
    )
    assert re.search(certain, result)
    assert re.search(r"\nMeasured: \d+ deals of MEOW at tables of 4 against ", result)
    assert re.search(r"saved (no|\d+ % of the) matches\. The variance .* is 0\.\d+;", result)


def test_bots_with_the_same_content_do_not_play_at_all() -> None:
    code, document = compare(GREEDY, "greedy-meow", "--cage", "none")
    assert code == 0
    assert (document["identical"], document["deals"]) == (True, 0)
    report = arena("compare", GREEDY, "greedy-meow", "--game", "meow").stdout
    assert "are identical, so there is" in report


def test_a_version_of_the_league_and_a_file_are_compared_without_a_verdict_after_few_deals(
    tmp_path: Path,
) -> None:
    db = tmp_path / "arena.db"
    folder = bot_folder(tmp_path, "kitten")
    submit_folders(db, folder)
    file = shutil.copy(RANDOM, tmp_path / "kitten.py")
    code, document = compare("kitten@1", str(file), "--db", str(db), "--deals", "3")
    assert (code, document["verdict"]) == (3, "not known yet")
    assert (document["deals"], document["faults"]) == (3, [])
    assert document["low"] < 0 < document["high"]
    assert document["new"] == "kitten@1 of the league"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("greedy-trio", "random"), "greedy-trio does not play meow"),
        (("python x", "random"), "'python x' is a command line"),
        (("random", "first", "--seats", "3"), "cannot be halved"),
        (("random", "first", "--seats", "9"), "cannot seat 9"),
        (("random", "first", "--clock", "soon"), "is not BANK+INC"),
        (("random", "first", "--error", "0"), "--error"),
        (("random", "first", "--margin", "nan"), "'nan' is not a number"),
        (("random", "first", "--opponents", ","), "',' contains no name"),
        (("random", "first", "--opponents", "first,first,first", "--seats", "2"), "too many"),
    ],
)
def test_a_usage_error_in_compare_is_explained(
    words: tuple[str, ...], sentence: str, tmp_path: Path
) -> None:
    result = refused(arena("compare", *words, "--game", "meow", "--db", str(tmp_path / "none.db")))
    assert sentence in result


def test_ctrl_c_does_not_reach_workers_that_are_just_starting(tmp_path: Path) -> None:
    words = ("compare", "random", "first", "--game", "meow", "--cage", cage().name)
    with arena_at_terminal(tmp_path, *words) as terminal:
        children = Path(f"/proc/{terminal.process.pid}/task/{terminal.process.pid}/children")

        def is_starting() -> bool:
            """Return whether a worker is importing its modules, which takes a while."""
            for pid in children.read_text().split():
                process = Path("/proc", pid)
                with suppress(OSError):
                    is_worker = b"spawn_main" in (process / "cmdline").read_bytes()
                    if is_worker and b"_asyncio" in (process / "maps").read_bytes():
                        return True
            return False

        terminal.wait_until(is_starting)
        terminal.press("\x03")
        assert terminal.wait_for_end() == 3
    assert b"Not known yet" in terminal.output
    assert b"Traceback" not in terminal.output


def test_on_a_terminal_one_line_shows_the_interim_result_until_ctrl_c(tmp_path: Path) -> None:
    other = str(bot_folder(tmp_path, "other"))
    command = [sys.executable, "-m", "arena", "compare", "random", other, "--game", "meow"]
    words = [*command, "--margin", "0.0001", "--jobs", "1", *CAGE]
    with at_terminal(words, ROOT, stdout=subprocess.PIPE) as terminal:
        terminal.wait_until(lambda: bool(re.search(rb"  [1-9]\d* deals  ", terminal.output)))
        line = rb"\r\x1b\[[JK]new - old [+-]0\.\d{3}  95 % interval "
        assert re.search(line, terminal.output)
        terminal.process.send_signal(signal.SIGINT)
        stdout, _ = terminal.process.communicate()
    assert terminal.process.returncode == 3
    assert b"\nNot known yet: new - old is between " in stdout


def test_the_summary_is_a_table_for_a_pull_request(tmp_path: Path) -> None:
    summary = tmp_path / "gate.md"
    words = ("--error", "0.2", "--tables", "1", "--summary", str(summary))
    assert compare(GREEDY, "random", *words)[1]["verdict"] == "better"
    title, _, sentence, *table = summary.read_text(encoding="utf-8").splitlines()
    assert title == "### Arena: Better"
    assert sentence.startswith("Better by at least 0.")
    names = [row.split(" | ")[0] for row in table if row.startswith("| ")]
    assert names[2:] == [
        *("| new", "| old", "| game", "| against", "| difference (points per match)"),
        *("| 80 % interval", "| deals", "| faults"),
    ]


def test_a_summary_that_cannot_be_written_is_a_usage_error(tmp_path: Path) -> None:
    words = ("compare", GREEDY, "greedy-meow", "--game", "meow", "--summary")
    assert "cannot write" in refused(arena(*words, str(tmp_path / "no" / "gate.md")))
