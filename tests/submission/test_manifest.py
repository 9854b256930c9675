"""Every mistake in a bot.toml is reported with its file and line."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.registry import GAME_IDS
from arena.submission.manifest import BadManifest, read_manifest, text_in
from tests.privileges import run_unprivileged

GOOD = """\
name = "kitten"
games = ["meow", "trio"]
command = ["python", "bot.py"]
"""


def write_manifest(folder: Path, text: str | bytes) -> Path:
    """Write a bot.toml into a folder; return the folder."""
    data = text if isinstance(text, bytes) else text.encode()
    (folder / "bot.toml").write_bytes(data)
    return folder


def message_for(folder: Path, text: str | bytes) -> str:
    """Return the message about a wrong bot.toml, without the folder."""
    with pytest.raises(BadManifest) as caught:
        read_manifest(write_manifest(folder, text))
    assert caught.value.exit_code == 2
    sentence = str(caught.value)
    assert sentence.startswith(str(folder / "bot.toml"))
    assert "\n" not in sentence
    return sentence.removeprefix(f"{folder}/")


def test_a_valid_manifest_is_read(tmp_path: Path) -> None:
    bot = read_manifest(write_manifest(tmp_path, f'{GOOD}[environment]\nMOOD = "calm"\n'))
    assert (bot.name, bot.games) == ("kitten", ("meow", "trio"))
    assert bot.command == ("python", "bot.py")
    assert bot.folder == tmp_path.resolve()
    assert bot.environment == {"MOOD": "calm"}


def test_requirements_and_limits_are_read(tmp_path: Path) -> None:
    more = 'requirements = ["numpy>=2", "idna"]\n[limits]\nmemory_mib = 1024\nthreads = 80\n'
    bot = read_manifest(write_manifest(tmp_path, GOOD + more))
    assert bot.requirements == ("numpy>=2", "idna")
    assert bot.limits == {"memory_mib": 1024, "threads": 80}


def test_requirements_and_limits_are_optional(tmp_path: Path) -> None:
    bot = read_manifest(write_manifest(tmp_path, GOOD))
    assert (bot.requirements, bot.limits) == ((), {})


@pytest.mark.parametrize(
    "title", ["Die Mäusefängerin", "猫の手", "חתול", "बिल्ली", "แมวน้อย", "😺 2"]
)
def test_texts_for_people_may_be_in_any_script(tmp_path: Path, title: str) -> None:
    text = f'{GOOD}author = "Ann Exámple"\ntitle = "{title}"\n'
    bot = read_manifest(write_manifest(tmp_path, text))
    assert (bot.name, bot.title, bot.author) == ("kitten", title, "Ann Exámple")
    assert (text_in(text, "title"), text_in(text, "author")) == (title, "Ann Exámple")
    assert read_manifest(write_manifest(tmp_path, GOOD)).title == ""


def test_two_ways_to_write_the_same_letters_are_one_title(tmp_path: Path) -> None:
    text = f'{GOOD}title = "Ma\u0308use"\n'
    assert (
        read_manifest(write_manifest(tmp_path, text)).title
        == "M\u00e4use"
        == text_in(text, "title")
    )


@pytest.mark.parametrize("text", ["", GOOD, "author = 7", 'author = "a', 'author = "\\u001b[2J"'])
def test_a_text_without_a_valid_author_has_none(text: str) -> None:
    assert text_in(text, "author") == ""


MISTAKES = {
    "no name": (GOOD.replace("name", "#"), "line 3: 'name' is missing (the file ends here)"),
    "no games": (GOOD.replace("games", "#"), "line 3: 'games' is missing (the file ends here)"),
    "no command": ('name = "kitten"\ngames = ["meow"]', "line 2: 'command' is missing"),
    "nothing at all": ("", "line 1: 'name' is missing"),
    "a key in the wrong table": (
        '[environment]\nMOOD = "calm"\nname = "kitten"\n',
        "line 3: 'name' is missing: it is here under [environment], move it above that line",
    ),
    "a misspelt key": (f"{GOOD}comand = 1", "line 4: 'comand' is not a key of bot.toml: did you"),
    "a misspelt table": (
        f"{GOOD}\n[ enviroment ]\n",
        "line 5: 'enviroment' is not a key of bot.toml: did you mean environment?",
    ),
    "an unknown key": (f"x = 1\n{GOOD}", "line 1: 'x' is not a key of bot.toml: choose from name,"),
    "a quoted key": (f'{GOOD}"a b" = 1', "line 4: 'a b' is not a key"),
    "a number for a name": (GOOD.replace('"kitten"', "7"), "line 1: 'name' is 7: it must be 1 to"),
    "a number for an author": (
        f"{GOOD}author = 7",
        "line 4: 'author' is 7: it must be 1 to 60 characters that everyone can see",
    ),
    "an empty author": (f'{GOOD}author = ""', "line 4: 'author' is ''"),
    "a title that turns the line around": (f'{GOOD}title = "\u202eabc"', "line 4: 'title' is"),
    "a title that nobody sees": (f'{GOOD}title = "\u3164"', "line 4: 'title' is '\u3164'"),
    "a long title": (
        f'{GOOD}title = "{"猫" * 31}"',
        "must be 1 to 30 characters that everyone can",
    ),
    "a long author": (f'{GOOD}author = "{"a" * 61}"', "line 4: 'author' is 'aaaa"),
    "a line break in an author": (f'{GOOD}author = "a\\nb"', "line 4: 'author' is 'a\\nb'"),
    "a text for games": (GOOD.replace('["meow", "trio"]', '"meow"'), "line 2: 'games' is 'meow'"),
    "no game": (GOOD.replace('["meow", "trio"]', "[]"), "line 2: 'games' is []: it must be a list"),
    "an unknown game": (
        GOOD.replace("trio", "chess"),
        f"line 2: 'games' contains 'chess', but the games are {', '.join(GAME_IDS)}",
    ),
    "an unknown game further down": (
        GOOD.replace('"meow", "trio"', '\n  "meow",\n  "meo",\n'),
        "line 4: 'games' contains 'meo'",
    ),
    "a number for a game": (GOOD.replace('"trio"', "8"), "line 2: 'games' contains 8"),
    "a text for a command": (
        GOOD.replace('["python", "bot.py"]', '"python bot.py"'),
        "line 3: 'command' is 'python bot.py': it must be a list of words, such as",
    ),
    "an empty command": (GOOD.replace('"python", "bot.py"', ""), "line 3: 'command' is []"),
    "a NUL in a command": (
        GOOD.replace("bot.py", "\\u0000"),
        r"line 3: 'command' is ['python', '\x0",
    ),
    "a missing program": (
        GOOD.replace('"python"', '"no-such-program"'),
        "line 3: 'command' runs 'no-such-program', which is not installed",
    ),
    "a missing file": (
        GOOD.replace('"python"', '"./start"'),
        "line 3: 'command' runs './start', which is not an executable file in the bot's folder",
    ),
    "a program by its path": (
        GOOD.replace('"python"', '"/bin/sh"'),
        "line 3: 'command' runs '/bin/sh', which is outside the bot's folder: use an installed",
    ),
    "a program beside the folder": (
        GOOD.replace('"python"', '"./../bot.sh"'),
        "line 3: 'command' runs './../bot.sh', which is outside the bot's folder",
    ),
    "a file that cannot be run": (GOOD.replace('"python"', '"./bot.toml"'), "'./bot.toml', which"),
    "a program's name too long for a file": (
        GOOD.replace("python", "p" * 300),
        "line 3: 'command' runs 'pppp",
    ),
    "a text for an environment": (
        f'{GOOD}environment = "calm"',
        "line 4: 'environment' is 'calm': it must be a table of strings",
    ),
    "a number in the environment": (
        f'{GOOD}[environment]\nLEVELS = "LEVEL = 3"\nLEVEL = 3\n',
        "line 6: 'environment' sets 'LEVEL' to 3: it must be a string",
    ),
    "a NUL in the environment": (f'{GOOD}environment.A = "\\u0000"', r"line 4: 'environment' sets"),
    "an odd variable": (
        f'{GOOD}environment = {{ A = "1", "B=C" = "2" }}',
        "line 4: 'environment' sets 'B=C', which is not a valid variable name",
    ),
    "a variable of the referee": (
        f'{GOOD}[environment]\nMOOD = "calm"\nARENA_SOCKET = "x"\n',
        "line 6: 'environment' sets 'ARENA_SOCKET': variables named ARENA_... are reserved",
    ),
    "a text for requirements": (
        f'{GOOD}requirements = "numpy"',
        "line 4: 'requirements' is 'numpy': it must be a list of Python packages, such as",
    ),
    "a NUL in requirements": (f'{GOOD}requirements = ["\\u0000"]', "line 4: 'requirements' is ['"),
    "a number for limits": (
        f"{GOOD}limits = 3",
        "line 4: 'limits' is 3: it must be a table of numbers",
    ),
    "an unknown limit": (
        f"{GOOD}[limits]\nfiles = 64\nmemory_mb = 64\n",
        "line 6: 'limits' is wrong: unknown limit 'memory_mb': did you mean memory_mib?",
    ),
    "a limit that is gone": (
        f"{GOOD}[limits]\nprocesses = 2\n",
        "line 5: 'limits' is wrong: there is no limit processes: a bot is one process, which may "
        "have threads",
    ),
    "a text that does not end": (f'{GOOD}x = "', "line 4: invalid TOML (unterminated string)"),
    "a line without a value": (f"x =\n{GOOD}", "line 1: invalid TOML (invalid value)"),
    "a key twice": (f"{GOOD}{GOOD}", "line 4: invalid TOML (cannot overwrite a value)"),
    "not TOML": ("{}", "line 1: invalid TOML (invalid statement)"),
    "not UTF-8": (f"{GOOD}# caf\xe9".encode("latin-1"), "line 4: byte 0xe9 is not UTF-8"),
    "odd line ends before it": (f"# \u2028 \x85\nx = 1\n{GOOD}", "line 2: 'x' is not a key"),
    "Windows line ends": (f"{GOOD}x = 1\n".replace("\n", "\r\n"), "line 4: 'x' is not a key"),
    "an endless number": (
        f"x = {'9' * 9999}",
        "a number that is too long, or lists nested too deeply",
    ),
    "a deep list": (f"x = {'[' * 9999}", "a number that is too long, or lists nested too deeply"),
    "a long file": ("#" * 70_000, "is too long: the maximum is 65536 bytes"),
}


@pytest.mark.parametrize(("text", "sentence"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_reported_with_its_line(
    tmp_path: Path, text: str | bytes, sentence: str
) -> None:
    assert sentence in message_for(tmp_path, text)


LINES = {"name": 'name = "kitten"', "games": 'games = ["meow"]', "command": 'command = ["python"]'}


@given(
    order=st.permutations(list(LINES)),
    wrong=st.sampled_from(list(LINES)),
    gaps=st.lists(st.sampled_from(["", "# name = 1", "  ", "\t# games"]), min_size=3, max_size=3),
)
def test_the_line_is_correct_for_any_order_of_keys(
    order: list[str], wrong: str, gaps: list[str]
) -> None:
    lines = []
    for key, gap in zip(order, gaps, strict=True):
        lines += [gap, f"{key} = 3" if key == wrong else LINES[key]]
    with tempfile.TemporaryDirectory() as folder:
        message = message_for(Path(folder), "\n".join(lines))
    assert message.startswith(f"bot.toml, line {lines.index(f'{wrong} = 3') + 1}: {wrong!r} is 3")


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_content_is_read_or_reported(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.raises(BadManifest, match=r"bot\.toml"):
        read_manifest(write_manifest(Path(folder), data))


@given(st.text(max_size=300))
def test_any_name_is_accepted_or_shown(name: str) -> None:
    quoted = re.sub(r"[^a-zA-Z0-9._-]", lambda found: f"\\U{ord(found[0]):08x}", name)
    with tempfile.TemporaryDirectory() as folder:
        write_manifest(Path(folder), GOOD.replace("kitten", quoted))
        if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}", name):
            assert read_manifest(Path(folder)).name == name
        else:
            with pytest.raises(BadManifest, match="line 1: 'name' is "):
                read_manifest(Path(folder))


def test_a_folder_without_a_manifest_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadManifest, match=r"is not a bot: it has no bot\.toml"):
        read_manifest(tmp_path)


def test_an_unreadable_folder_is_reported(tmp_path: Path) -> None:
    write_manifest(tmp_path, GOOD)
    tmp_path.chmod(0o400)
    code = "import sys; from arena.submission.lookup import find_bot; find_bot(sys.argv[1])"
    message = run_unprivileged(code, tmp_path)
    tmp_path.chmod(0o700)
    assert message.endswith(f"BadManifest: {tmp_path}/bot.toml cannot be read: Permission denied")


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["a folder", "a pipe"])
def test_a_manifest_that_is_not_a_file_is_refused(tmp_path: Path, make: object) -> None:
    assert callable(make)
    make(tmp_path / "bot.toml")
    with pytest.raises(BadManifest, match="is not a file"):
        read_manifest(tmp_path)


def test_a_program_in_the_folder_is_found_from_any_working_directory(tmp_path: Path) -> None:
    program = tmp_path / "start"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    bot = read_manifest(write_manifest(tmp_path, GOOD.replace('"python"', '"./start"')))
    assert (bot.command, bot.local_program()) == (("./start", "bot.py"), "./start")
