"""Games that other packages bring: found by an entry point, and played like ours."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import BrokenGame
from arena.games.installed import installed_games
from arena.games.registry import GAME_IDS, game_ids, game_named, plays
from arena.sandbox.packages.games import game_files
from tests.cages import cage
from tests.cli.runner import arena

PACKAGE = Path(__file__).parent / "highcard"
TALKER = '''"""A bot that knows only the protocol, as one in another language does."""
import os

from arena.sdk.call import Call
from arena.wire.envelope import batch, request
from arena.wire.fields import write_delimited, write_number


def talk():
    call = Call(os.environ["ARENA_SOCKET"], "/arena.wire.v1.Arena/Play")
    hello = write_number(1, 1) + write_delimited(2, b"talker") + write_delimited(3, b"highcard")
    call.write(write_delimited(1, hello))
    while data := call.read():
        received = batch.read(data)
        if received.goodbye:
            return
        for asked in map(request.read, received.requests):
            # Field 5 is the view, and the hand is its field 1: a list of bytes.
            assert asked.view[0] == 0x2a and asked.view[2] == 0x0a
            hand = asked.view[4 : 4 + asked.view[3]]
            # The action in words.
            action = write_delimited(6, str(hand[-1]).encode())
            decision = write_number(1, asked.match) + write_number(2, asked.number)
            decision += write_delimited(3, action)
            call.write(write_delimited(2, write_delimited(1, decision)))


talk()
'''


def write_package(folder: Path, name: str, entry: str, module: str = "") -> None:
    """Write what pip would install: a module, and an entry point for a game."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        f"[console_scripts]\nx = y:z\n\n[arena.games]\n# a comment\n{entry}\n", encoding="utf-8"
    )
    if module:
        (folder / f"{entry.partition('=')[2].strip().partition(':')[0]}.py").write_text(module)


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder of `sys.path` for packages."""
    monkeypatch.syspath_prepend(tmp_path)
    installed_games.cache_clear()
    yield tmp_path
    installed_games.cache_clear()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the example with pip, as a user would."""
    top = tmp_path_factory.mktemp("highcard")
    shutil.copytree(PACKAGE, top / "source")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    options = ["--no-build-isolation", "--target", str(top / "site"), str(top / "source")]
    subprocess.run([*pip, *options], check=True, capture_output=True)
    return top / "site"


def run_with(site: Path, *words: object, cwd: Path) -> str:
    """Run Python where the example is installed; return what it prints."""
    environment = {**os.environ, "PYTHONPATH": str(site), "ARENA_DB": str(cwd / "arena.db")}
    command = [sys.executable, *map(str, words)]
    done = subprocess.run(command, env=environment, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_an_installed_game_passes_the_conformance_suite(site: Path, tmp_path: Path) -> None:
    program = (
        "from arena.games import game_named\n"
        "from arena.games.conformance import check_game\n"
        "print(check_game(game_named('highcard'), matches=3))"
    )
    assert run_with(site, "-c", program, cwd=tmp_path) == "30\n"


def test_an_installed_game_is_listed_with_ours(site: Path, tmp_path: Path) -> None:
    listed = json.loads(run_with(site, "-m", "arena", "games", "--json", cwd=tmp_path))
    assert [game["id"] for game in listed] == [*GAME_IDS, "highcard"]
    rules = run_with(site, "-m", "arena", "rules", "highcard", cwd=tmp_path)
    assert rules.startswith("# High Card\n\nEveryone has some cards of 1 to 40")


def test_caged_bots_play_an_event_at_an_installed_game(site: Path, tmp_path: Path) -> None:
    bot = tmp_path / "talker"
    bot.mkdir()
    (bot / "bot.py").write_text(TALKER, encoding="utf-8")
    (bot / "bot.toml").write_text(
        'name = "talker"\ngames = ["highcard"]\ncommand = ["python", "bot.py"]\n', encoding="utf-8"
    )
    settings = ("--cage", cage().name)
    run_with(site, "-m", "arena", "submit", "talker", *settings, cwd=tmp_path)
    event = ("event", "run", "round-robin", "--game", "highcard", "--name", "cup", "--seats", 3)
    field = ("--bots", "random,first,talker", "--deals", 2, "--seed", 1, "--variant", "short")
    run_with(site, "-m", "arena", *event, *field, *settings, cwd=tmp_path)
    words = ("-m", "arena", "event", "show", "cup", "--json")
    shown = json.loads(run_with(site, *words, cwd=tmp_path))
    assert {row["bot"]: row["faults"] for row in shown["standings"]} == {
        "random": 0,
        "first": 0,
        "talker": 0,
    }
    run_with(site, "-m", "arena", "verify", cwd=tmp_path)


def test_a_new_bot_for_an_installed_game_passes_its_checks(site: Path, tmp_path: Path) -> None:
    run_with(site, "-m", "arena", "new", "kitten", "--game", "highcard", cwd=tmp_path)
    run_with(site, "-m", "unittest", "discover", "kitten", cwd=tmp_path)
    run_with(site, "-m", "arena", "check", "kitten", "--cage", cage().name, cwd=tmp_path)
    written = (tmp_path / "kitten" / "README.md").read_text(encoding="utf-8")
    assert "`view.hand`, `view.played`" in written
    assert "`arena rules highcard` shows the rules; `highcard.py` documents every field." in written


def test_an_installed_game_is_an_environment_for_learning(site: Path, tmp_path: Path) -> None:
    pytest.importorskip("pettingzoo")
    program = (
        "from pettingzoo.test import api_test\n"
        "from arena.learn.pettingzoo import env\n"
        "api_test(env('highcard'), num_cycles=200)\n"
        "from arena.games import game_named\n"
        "game = game_named('highcard')\n"
        "encoder = game.encoder(2)\n"
        "view = game.view_of(game.start(2, 1, 'short'), 0)\n"
        "print(*view.hand, *encoder.encode(view)[encoder.part('hand')][:6])"
    )
    first, second, *floats = run_with(site, "-c", program, cwd=tmp_path).split("\n")[-2].split()
    assert floats == ["1.0", f"{first}.0", "1.0", f"{second}.0", "0.0", "0.0"]


def test_a_match_of_an_installed_game_has_a_replay(site: Path, tmp_path: Path) -> None:
    match = ("play", "highcard", "random", "random", "--seed", 1, "--save", "match.replay")
    run_with(site, "-m", "arena", *match, cwd=tmp_path)
    shown = run_with(site, "-m", "arena", "replay", "show", "match.replay", "--all", cwd=tmp_path)
    assert "decision 1, random-1: " in shown
    run_with(site, "-m", "arena", "replay", "verify", "match.replay", cwd=tmp_path)
    page = ("replay", "html", "match.replay", "-o", "match.html")
    run_with(site, "-m", "arena", *page, cwd=tmp_path)
    written = (tmp_path / "match.html").read_text(encoding="utf-8")
    assert "positions are shown in its notation" in written


@pytest.mark.parametrize(
    ("entry", "module", "complaint"),
    [
        ("odd = nowhere_odd:GAME", "", "cannot be imported: ModuleNotFoundError"),
        ("odd = loud_odd:GAME", "1 / 0", "cannot be imported: ZeroDivisionError"),
        ("odd = empty_odd:GAME", "", "cannot be imported"),
        ("odd = wrong_odd:GAME", "GAME = 7", "not an instance of arena.games.Game: it is int"),
        ("odd = other_odd:GAME", "from arena.games.meow import GAME", "the game 'meow' under anot"),
        ("Odd-1 = other_odd:GAME", "", "an id must be 1 to 20 lower-case letters"),
    ],
)
def test_a_broken_package_is_named_with_the_reason(
    packages: Path, entry: str, module: str, complaint: str
) -> None:
    write_package(packages, "odd_games", entry, module)
    installed_games.cache_clear()
    with pytest.raises(BrokenGame, match="odd-games") as raised:
        game_named(entry.partition(" ")[0])
    assert complaint in str(raised.value)


def test_a_broken_package_does_not_hide_the_other_games(packages: Path) -> None:
    write_package(packages, "odd_games", "odd = nowhere_odd:GAME")
    installed_games.cache_clear()
    result = arena("games")
    assert result.exit_code == 0
    assert "MEOW" in result.stdout
    assert "the game 'odd' of odd-games cannot be imported" in result.stderr


def test_a_package_with_damaged_files_does_not_hide_games_of_others(packages: Path) -> None:
    write_package(packages, "odd_games", "odd = nowhere_odd:GAME")
    write_package(packages, "damaged", "pig = pig:GAME")
    (packages / "damaged-1.0.dist-info" / "entry_points.txt").write_text("[console_scripts]\nx\n")
    installed_games.cache_clear()
    assert list(installed_games()) == ["odd"]


def test_two_packages_cannot_bring_the_same_game(packages: Path) -> None:
    for name in ("one", "two"):
        write_package(packages, name, "pig = pig:GAME")
    installed_games.cache_clear()
    with pytest.raises(BrokenGame, match="one and two both bring a game 'pig'"):
        game_named("pig")


def test_nobody_can_replace_one_of_our_games(packages: Path) -> None:
    write_package(packages, "odd_games", "meow = wrong_meow:GAME", "GAME = 7")
    installed_games.cache_clear()
    assert game_ids() == GAME_IDS
    assert game_named("meow").title == "MEOW"


def test_bots_get_the_module_of_a_game_and_its_entry_point(packages: Path) -> None:
    write_package(packages, "odd_games", "odd = single_odd:GAME", "GAME = 7")
    installed_games.cache_clear()
    files = game_files()
    assert files[Path("single_odd.py")] == b"GAME = 7"
    assert b"odd = single_odd:GAME" in files[Path("odd_games-0.dist-info/entry_points.txt")]


def test_a_star_stands_for_every_game() -> None:
    assert plays(("*",), "highcard")
    assert plays(("meow", "trio"), "trio")
    assert not plays(("meow",), "trio")
