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
    short = printed(arena("check", word)).splitlines()
    used = r"it used at most \d+\.\d% of the clock cpu:10\+0\.1"
    assert len(short) == 1
    assert re.fullmatch(rf"{word}: ready for a league, 14 steps; {used}", short[0])
    lines = printed(arena("check", word, "-v")).splitlines()
    assert lines[0] == " 1  manifest: ok, mine plays meow"
    assert lines[4].startswith(" 5  meow standard with 2 seats: ok, seat 0, ")
    assert (
        lines[13] == "14  64 tables at once: ok, no faults; 64 of these matches repeated alone, "
        "with the same decisions"
    )
    assert re.fullmatch(rf"{word}: ready for a league, 14 steps; {used}", lines[-1])


def test_a_name_means_the_house_bot_unless_a_bot_folder_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = arena("check", "first", "--game", "meow", "-v").stdout.splitlines()
    assert lines[0] == " 1  manifest: ok, first plays every game"
    assert lines[-1].startswith("first: ready for a league, 14 steps; ")
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
    last = result.stdout.splitlines()[-1]
    assert last.endswith(": not ready for a league; 8 steps skipped because of it")
    asked = ("--cage", cage, "--limit", "memory_mib=1024", "--game", "trio", "-v")
    allowed = arena("check", word, *asked)
    assert allowed.stdout.startswith(" 1  manifest: ok, mine plays meow\n")


def test_a_failure_is_shown_with_what_the_bot_printed(tmp_path: Path) -> None:
    word = write_program(tmp_path, "print('\\x1b[31mso be it'); return 10**6")
    result = arena("check", word, "--clock", "9+1", "--seed", "1")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        " 5  meow standard with 2 seats: failed, it chose an illegal action: "
        "seat 0 may not play 1000000: there is no such card",
        "    Its last output:",
        "      \N{REPLACEMENT CHARACTER}[31mso be it",
        f"{word}: not ready for a league; 8 steps skipped because of it",
    ]
    assert result.stderr.endswith("-v shows all steps; --seed 1 repeats the same matches\n")
    steps = arena("check", word, "--clock", "9+1", "--seed", "1", "-v").stdout
    assert "\n 6  meow standard with 3 seats: skipped, because step 5 failed\n" in steps


@pytest.mark.parametrize(
    ("body", "advice"),
    [
        (
            "import nowhere_to_be_found",
            "a single file plays without nowhere_to_be_found: make a folder with a bot.toml that "
            "lists it in requirements, or with the module itself",
        ),
        (
            "import socket; socket.getaddrinfo('example.com', 80)",
            "a bot in a cage has no network: keep what it needs in its own folder",
        ),
        ("while True: pass", "it was in choose, line "),
    ],
)
def test_the_cause_of_a_failure_is_said_with_what_to_do(
    body: str, advice: str, tmp_path: Path
) -> None:
    word = write_program(tmp_path, body)
    result = arena("check", word, "--game", "meow", "--clock", "cpu:0.2+0.01")
    assert result.exit_code == 1
    assert f"\n    {advice}" in result.stdout
    assert "arena/sdk/" not in result.stdout
    # A traceback through the library tells nobody that there is no network.
    assert ("Traceback" in result.stdout) == ("nowhere" in body)


def test_a_bot_with_the_name_of_a_house_bot_does_not_pass(tmp_path: Path) -> None:
    write_program(tmp_path, "return self.legal_actions(view)[0]")
    word = write_manifest(tmp_path, name="first", games=["meow"], command=["python", "bot.py"])
    result = arena("check", word)
    assert result.exit_code == 1
    assert " 1  manifest: failed, first is the name of a house bot: change it" in result.stdout


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
