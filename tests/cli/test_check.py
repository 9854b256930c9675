"""Can an author read what `arena check` says?"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.commands import arena
from tests.referee.test_check import folder_with, program


def test_an_honest_bot_passes_all_its_steps(tmp_path: Path) -> None:
    program(tmp_path, "return self.rng.choice(self.legal_actions(view))")
    word = folder_with(tmp_path, name="mine", games=["meow"], command=["python", "bot.py"])
    result = arena("check", word)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == " 1  its manifest: ok, mine plays meow"
    assert lines[4].startswith(" 5  meow standard with 2 seats: ok, seat 0, ")
    assert (
        lines[13]
        == "14  64 tables at once: ok, no fault; 64 of the matches played alone went the same"
    )
    assert re.fullmatch(rf"{word}: 14 ok; secret [0-9a-f]{{64}}", lines[-1])


def test_a_house_bot_is_meant_by_its_name_unless_there_is_such_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = arena("check", "first", "--game", "meow").stdout.splitlines()
    assert lines[0] == " 1  its manifest: ok, first plays trio, jackal, meow, lifeislife"
    assert re.fullmatch("first: 14 ok; secret [0-9a-f]{64}", lines[-1])
    Path("first").mkdir()
    result = arena("check", "first")
    assert result.exit_code == 1
    assert "first is not a bot: it has no bot.toml" in result.stdout


def test_a_command_line_may_be_longer_than_a_file_name() -> None:
    result = arena("check", f"python {'x' * 5000}")
    assert result.exit_code == 2
    assert "is a command line, and no cage knows which files it needs" in result.stderr


@pytest.mark.parametrize("cage", ["auto", "none"])
def test_a_bot_toml_that_asks_for_more_than_is_allowed_fails_its_first_step(
    tmp_path: Path, cage: str
) -> None:
    program(tmp_path, "return self.legal_actions(view)[0]")
    word = folder_with(tmp_path, name="mine", games=["meow"], command=["python", "bot.py"])
    with (Path(word) / "bot.toml").open("a") as file:
        file.write("[limits]\nmemory_mib = 1024\n")
    result = arena("check", word, "--cage", cage)
    assert result.exit_code == 1
    assert result.stdout.startswith(
        " 1  its manifest: failed, its bot.toml asks for memory_mib = 1024, but at most 512 is "
    )
    assert ": 1 failed, 8 left out; secret " in result.stdout.splitlines()[-1]
    allowed = arena("check", word, "--cage", cage, "--limit", "memory_mib=1024", "--game", "trio")
    assert allowed.stdout.startswith(" 1  its manifest: ok, mine plays meow\n")


def test_a_game_that_the_bot_does_not_play_is_a_failure_and_nothing_else_is_said(
    tmp_path: Path,
) -> None:
    word = program(tmp_path, "return self.legal_actions(view)[0]")
    result = arena("check", word, "--game", "trio")
    assert result.exit_code == 1
    assert "failed, you asked for trio, and its hello names 'meow'" in result.stdout
    assert "Traceback" not in result.stderr


def test_a_failure_is_shown_with_what_the_bot_printed(tmp_path: Path) -> None:
    word = program(tmp_path, "print('\\x1b[31mso be it'); return 10**6")
    result = arena("check", word, "--clock", "9+1", "--seed", "1")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[4:8] == [
        " 5  meow standard with 2 seats: failed, it chose an illegal action: "
        "seat 0 may not play 1000000: there is no such card",
        "    The last that it printed:",
        "      \N{REPLACEMENT CHARACTER}[31mso be it",
        " 6  meow standard with 3 seats: left out, because step 5 failed",
    ]
    assert lines[-1] == f"{word}: 5 ok, 1 failed, 8 left out; seed 1"


def test_json_is_one_document_with_the_steps(tmp_path: Path) -> None:
    word = program(tmp_path, "return undefined")
    result = arena("check", word, "--json", "--game", "meow")
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    assert (document["bot"], document["passed"]) == (word, False)
    steps = document["steps"]
    assert [step["number"] for step in steps] == list(range(1, 15))
    assert [step["verdict"] for step in steps[:6]] == ["ok"] * 4 + ["failed", "left out"]
    assert steps[4]["printed"][-1] == "NameError: name 'undefined' is not defined"
    assert steps[2]["figures"]["hello_s"] > 0


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("nobody",), "there is no bot 'nobody': not a folder with a bot.toml"),
        (("nobody.py",), "there is no bot 'nobody.py': no such file"),
        (("greedy-mew",), "not a house bot: did you mean greedy-meow?"),
        (("python", "--game", "mewo"), "no game is called 'mewo': did you mean meow?"),
        (("python", "--clock", "soon"), "is not BANK+INC in seconds"),
        ((), "Missing argument 'BOT'"),
    ],
)
def test_asking_wrong_is_exit_2_with_a_sentence(words: tuple[str, ...], complaint: str) -> None:
    result = arena("check", *words)
    assert result.exit_code == 2
    assert complaint in result.stderr
    assert not result.stdout
