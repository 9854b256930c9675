"""The output of `arena check`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.check.test_check import write_manifest, write_program
from tests.cli.runner import arena, printed


def test_an_honest_bot_passes_all_its_steps(tmp_path: Path) -> None:
    write_program(tmp_path, "return self.rng.choice(self.legal_actions(view))")
    word = write_manifest(tmp_path, name="mine", games=["meow"], command=["python", "bot.py"])
    lines = printed(arena("check", word)).splitlines()
    assert lines[0] == " 1  manifest: ok, mine plays meow"
    assert lines[4].startswith(" 5  meow standard with 2 seats: ok, seat 0, ")
    assert (
        lines[13] == "14  64 tables at once: ok, no faults; 64 of these matches repeated alone, "
        "with the same decisions"
    )
    used = r"clock cpu:10\+0\.1, at most \d+\.\d% used"
    assert re.fullmatch(rf"{word}: 14 ok; {used}; secret [0-9a-f]{{64}}", lines[-1])


def test_a_name_means_the_house_bot_unless_a_bot_folder_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = arena("check", "first", "--game", "meow").stdout.splitlines()
    assert lines[0] == " 1  manifest: ok, first plays every game"
    assert re.fullmatch("first: 14 ok; clock .* used; secret [0-9a-f]{64}", lines[-1])
    Path("first").mkdir()
    Path("first", "bot.toml").touch()
    result = arena("check", "first")
    assert result.exit_code == 1
    assert "first/bot.toml, line 1: 'name' is missing" in result.stdout


@pytest.mark.parametrize("cage", ["auto", "none"])
def test_a_bot_toml_that_asks_for_more_than_is_allowed_fails_its_first_step(
    tmp_path: Path, cage: str
) -> None:
    write_program(tmp_path, "return self.legal_actions(view)[0]")
    word = write_manifest(tmp_path, name="mine", games=["meow"], command=["python", "bot.py"])
    with (Path(word) / "bot.toml").open("a") as file:
        file.write("[limits]\nmemory_mib = 1024\n")
    result = arena("check", word, "--cage", cage)
    assert result.exit_code == 1
    assert result.stdout.startswith(
        " 1  manifest: failed, its bot.toml asks for memory_mib = 1024, but at most 512 is "
    )
    assert ": 1 failed, 8 skipped; clock cpu:10+0.1; secret " in result.stdout.splitlines()[-1]
    allowed = arena("check", word, "--cage", cage, "--limit", "memory_mib=1024", "--game", "trio")
    assert allowed.stdout.startswith(" 1  manifest: ok, mine plays meow\n")


def test_a_failure_is_shown_with_what_the_bot_printed(tmp_path: Path) -> None:
    word = write_program(tmp_path, "print('\\x1b[31mso be it'); return 10**6")
    result = arena("check", word, "--clock", "9+1", "--seed", "1")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[4:8] == [
        " 5  meow standard with 2 seats: failed, it chose an illegal action: "
        "seat 0 may not play 1000000: there is no such card",
        "    Its last output:",
        "      \N{REPLACEMENT CHARACTER}[31mso be it",
        " 6  meow standard with 3 seats: skipped, because step 5 failed",
    ]
    assert lines[-1] == f"{word}: 5 ok, 1 failed, 8 skipped; clock 9+1; seed 1"


def test_json_is_one_document_with_the_steps(tmp_path: Path) -> None:
    word = write_program(tmp_path, "return undefined")
    result = arena("check", word, "--json", "--game", "meow")
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    assert (document["bot"], document["passed"]) == (word, False)
    steps = document["steps"]
    assert [step["number"] for step in steps] == list(range(1, 15))
    assert [step["verdict"] for step in steps[:6]] == ["ok"] * 4 + ["failed", "skipped"]
    assert steps[4]["printed"][-1] == "NameError: name 'undefined' is not defined"
    assert steps[2]["figures"]["hello_s"] > 0
