"""Is every mistake in a bot.toml named with its file and its line?"""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.registry import GAME_IDS
from arena.manifest import BadManifest, find_bot, read_manifest
from tests.privileges import last_words

GOOD = """\
name = "kitten"
games = ["meow", "trio"]
command = ["python", "bot.py"]
"""


def folder_with(folder: Path, text: str | bytes) -> Path:
    """Write a bot.toml."""
    data = text if isinstance(text, bytes) else text.encode()
    (folder / "bot.toml").write_bytes(data)
    return folder


def complaint(folder: Path, text: str | bytes) -> str:
    """Return what is said of a bot.toml that is wrong, without the folder."""
    with pytest.raises(BadManifest) as caught:
        read_manifest(folder_with(folder, text))
    assert caught.value.exit_code == 2
    sentence = str(caught.value)
    assert sentence.startswith(str(folder / "bot.toml"))
    assert "\n" not in sentence
    return sentence.removeprefix(f"{folder}/")


def test_a_good_one_is_read(tmp_path: Path) -> None:
    bot = read_manifest(folder_with(tmp_path, f'{GOOD}[environment]\nMOOD = "calm"\n'))
    assert (bot.name, bot.games) == ("kitten", ("meow", "trio"))
    assert bot.command == ("python", "bot.py")
    assert bot.folder == tmp_path.resolve()
    assert bot.environment == {"MOOD": "calm"}


def test_requirements_and_limits_are_read(tmp_path: Path) -> None:
    more = 'requirements = ["numpy>=2", "idna"]\n[limits]\nmemory_mib = 1024\nprocesses = 2\n'
    bot = read_manifest(folder_with(tmp_path, GOOD + more))
    assert bot.requirements == ("numpy>=2", "idna")
    assert bot.limits == {"memory_mib": 1024, "processes": 2}


def test_a_bot_that_asks_for_nothing_requires_nothing(tmp_path: Path) -> None:
    bot = read_manifest(folder_with(tmp_path, GOOD))
    assert (bot.requirements, bot.limits) == ((), {})


WRONG = {
    "no name": (GOOD.replace("name", "#"), "line 3: 'name' is missing, and the file ends here"),
    "no games": (GOOD.replace("games", "#"), "line 3: 'games' is missing, and the file ends here"),
    "no command": ('name = "kitten"\ngames = ["meow"]', "line 2: 'command' is missing"),
    "nothing at all": ("", "line 1: 'name' is missing"),
    "a key in the wrong table": (
        '[environment]\nMOOD = "calm"\nname = "kitten"\n',
        "line 3: 'name' is missing: it stands here under [environment], and belongs above that",
    ),
    "a misspelt key": (f"{GOOD}comand = 1", "line 4: 'comand' is not a key of bot.toml: did you"),
    "a misspelt table": (
        f"{GOOD}\n[ enviroment ]\n",
        "line 5: 'enviroment' is not a key of bot.toml: did you mean environment?",
    ),
    "an unknown key": (f"x = 1\n{GOOD}", "line 1: 'x' is not a key of bot.toml: there are name,"),
    "a quoted key": (f'{GOOD}"a b" = 1', "line 4: 'a b' is not a key"),
    "a number for a name": (GOOD.replace('"kitten"', "7"), "line 1: 'name' is 7: it must be 1 to"),
    "a space in a name": (GOOD.replace("kitten", "my cat"), "line 1: 'name' is 'my cat': it must"),
    "a dash first": (GOOD.replace("kitten", "-x"), "line 1: 'name' is '-x'"),
    "an empty name": (GOOD.replace("kitten", ""), "line 1: 'name' is ''"),
    "a path for a name": (GOOD.replace("kitten", "../cat"), "line 1: 'name' is '../cat'"),
    "a long name": (GOOD.replace("kitten", "k" * 41), "line 1: 'name' is 'kkkkk"),
    "a text for games": (GOOD.replace('["meow", "trio"]', '"meow"'), "line 2: 'games' is 'meow'"),
    "no game": (GOOD.replace('["meow", "trio"]', "[]"), "line 2: 'games' is []: it must be a list"),
    "an unknown game": (
        GOOD.replace("trio", "chess"),
        "line 2: 'games' names 'chess': the games are trio, jackal, meow, lifeislife",
    ),
    "an unknown game further down": (
        GOOD.replace('"meow", "trio"', '\n  "meow",\n  "meo",\n'),
        "line 4: 'games' names 'meo'",
    ),
    "a number for a game": (GOOD.replace('"trio"', "8"), "line 2: 'games' names 8"),
    "a list for a game": (GOOD.replace('"trio"', "[1]"), "line 2: 'games' names [1]"),
    "a text for a command": (
        GOOD.replace('["python", "bot.py"]', '"python bot.py"'),
        "line 3: 'command' is 'python bot.py': it must be a list of words, such as",
    ),
    "an empty command": (GOOD.replace('"python", "bot.py"', ""), "line 3: 'command' is []"),
    "an empty program": (GOOD.replace('"python"', '""'), "line 3: 'command' is ['', 'bot.py']"),
    "a number in a command": (GOOD.replace('"bot.py"', "3"), "line 3: 'command' is ['python', 3]"),
    "a NUL in a command": (
        GOOD.replace("bot.py", "\\u0000"),
        r"line 3: 'command' is ['python', '\x0",
    ),
    "a program that is not there": (
        GOOD.replace('"python"', '"no-such-program"'),
        "line 3: 'command' starts 'no-such-program', which is not installed here",
    ),
    "a file that is not there": (
        GOOD.replace('"python"', '"./start"'),
        "line 3: 'command' starts './start', which is not a program that can be run",
    ),
    "a program by its path": (
        GOOD.replace('"python"', '"/bin/sh"'),
        "line 3: 'command' starts '/bin/sh', which is outside the bot's folder: name an installed",
    ),
    "a program beside the folder": (
        GOOD.replace('"python"', '"./../bot.sh"'),
        "line 3: 'command' starts './../bot.sh', which is outside the bot's folder",
    ),
    "a file that cannot be run": (GOOD.replace('"python"', '"./bot.toml"'), "'./bot.toml', which"),
    "a program's name too long for a file": (
        GOOD.replace("python", "p" * 300),
        "line 3: 'command' starts 'pppp",
    ),
    "a text for an environment": (
        f'{GOOD}environment = "calm"',
        "line 4: 'environment' is 'calm': it must be a table of texts",
    ),
    "a list of environments": (f"{GOOD}[[environment]]", "line 4: 'environment' is [{}]"),
    "a number in the environment": (
        f'{GOOD}[environment]\nLEVELS = "LEVEL = 3"\nLEVEL = 3\n',
        "line 6: 'environment' sets 'LEVEL' to 3: texts only",
    ),
    "a NUL in the environment": (f'{GOOD}environment.A = "\\u0000"', r"line 4: 'environment' sets"),
    "an odd variable": (
        f'{GOOD}environment = {{ A = "1", "B=C" = "2" }}',
        "line 4: 'environment' sets 'B=C', which is not a variable's name",
    ),
    "a variable of the referee": (
        f'{GOOD}[environment]\nMOOD = "calm"\nARENA_SOCKET = "x"\n',
        "line 6: 'environment' sets 'ARENA_SOCKET': that is the referee's to set",
    ),
    "a text for requirements": (
        f'{GOOD}requirements = "numpy"',
        "line 4: 'requirements' is 'numpy': it must be a list of Python packages, such as",
    ),
    "a number in requirements": (f"{GOOD}requirements = [2]", "line 4: 'requirements' is [2]"),
    "a NUL in requirements": (f'{GOOD}requirements = ["\\u0000"]', "line 4: 'requirements' is ['"),
    "a number for limits": (
        f"{GOOD}limits = 3",
        "line 4: 'limits' is 3: it must be a table of numbers",
    ),
    "an unknown limit": (
        f"{GOOD}[limits]\nfiles = 64\nmemory_mb = 64\n",
        "line 6: 'limits' is wrong: there is no limit 'memory_mb': did you mean memory_mib?",
    ),
    "a text for a limit": (
        f'{GOOD}[limits]\ncpu_s = "60"\n',
        "line 5: 'limits' is wrong: the limit cpu_s is '60': it must be a whole number",
    ),
    "a limit too high": (
        f"{GOOD}[limits]\nfiles = 64\nprocesses = 65\n",
        "line 6: 'limits' is wrong: the limit processes is 65: it must be from 0 to 64",
    ),
    "a limit too low": (
        f"{GOOD}limits = {{ files = 64, memory_mib = 1 }}",
        "line 4: 'limits' is wrong: the limit memory_mib is 1: it must be from 64 to 4096",
    ),
    "a text that does not end": (f'{GOOD}x = "', "line 4: this is not TOML (unterminated string)"),
    "a line without a value": (f"x =\n{GOOD}", "line 1: this is not TOML (invalid value)"),
    "a key twice": (f"{GOOD}{GOOD}", "line 4: this is not TOML (cannot overwrite a value)"),
    "not TOML": ("{}", "line 1: this is not TOML (invalid statement)"),
    "not UTF-8": (f"{GOOD}# caf\xe9".encode("latin-1"), "line 4: byte 0xe9 is not UTF-8"),
    "odd ends of lines before it": (f"# \u2028 \x85\nx = 1\n{GOOD}", "line 2: 'x' is not a key"),
    "Windows line ends": (f"{GOOD}x = 1\n".replace("\n", "\r\n"), "line 4: 'x' is not a key"),
    "an endless number": (f"x = {'9' * 9999}", "a number too long or lists too deep to be read"),
    "a deep list": (f"x = {'[' * 9999}", "a number too long or lists too deep to be read"),
    "a book": ("#" * 70_000, "is too long: at most 65536 bytes are read"),
}


@pytest.mark.parametrize(("text", "sentence"), WRONG.values(), ids=WRONG)
def test_a_mistake_is_named_with_its_line(tmp_path: Path, text: str | bytes, sentence: str) -> None:
    assert sentence in complaint(tmp_path, text)


LINES = {"name": 'name = "kitten"', "games": 'games = ["meow"]', "command": 'command = ["python"]'}


@given(
    order=st.permutations(list(LINES)),
    wrong=st.sampled_from(list(LINES)),
    gaps=st.lists(st.sampled_from(["", "# name = 1", "  ", "\t# games"]), min_size=3, max_size=3),
)
def test_the_line_is_right_in_whatever_order_the_keys_come(
    order: list[str], wrong: str, gaps: list[str]
) -> None:
    lines = []
    for key, gap in zip(order, gaps, strict=True):
        lines += [gap, f"{key} = 3" if key == wrong else LINES[key]]
    with tempfile.TemporaryDirectory() as folder:
        said = complaint(Path(folder), "\n".join(lines))
    assert said.startswith(f"bot.toml, line {lines.index(f'{wrong} = 3') + 1}: {wrong!r} is 3")


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_whatever_the_file_holds_there_is_a_sentence(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.raises(BadManifest, match=r"bot\.toml"):
        read_manifest(folder_with(Path(folder), data))


@given(st.text(max_size=300))
def test_whatever_the_name_is_it_is_taken_or_shown(name: str) -> None:
    quoted = re.sub(r"[^a-zA-Z0-9._-]", lambda found: f"\\U{ord(found[0]):08x}", name)
    with tempfile.TemporaryDirectory() as folder:
        folder_with(Path(folder), GOOD.replace("kitten", quoted))
        if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}", name):
            assert read_manifest(Path(folder)).name == name
        else:
            with pytest.raises(BadManifest, match="line 1: 'name' is "):
                read_manifest(Path(folder))


def test_a_folder_without_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadManifest, match=r"is not a bot: it has no bot\.toml"):
        find_bot(str(tmp_path))


def test_a_folder_that_is_closed_to_us_is_a_sentence(tmp_path: Path) -> None:
    folder_with(tmp_path, GOOD)
    tmp_path.chmod(0o400)
    code = "import sys; from arena.manifest import find_bot; find_bot(sys.argv[1])"
    said = last_words(code, tmp_path)
    tmp_path.chmod(0o700)
    assert said.endswith(f"BadManifest: {tmp_path}/bot.toml cannot be read: Permission denied")


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["a folder", "a pipe"])
def test_one_that_is_not_a_file_is_refused(tmp_path: Path, make: object) -> None:
    assert callable(make)
    make(tmp_path / "bot.toml")
    with pytest.raises(BadManifest, match="is not a file"):
        find_bot(str(tmp_path))


def test_a_program_of_the_folder_is_started_wherever_the_user_is(tmp_path: Path) -> None:
    program = tmp_path / "start"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    bot = read_manifest(folder_with(tmp_path, GOOD.replace('"python"', '"./start"')))
    assert (bot.command, bot.local_program()) == (("./start", "bot.py"), "./start")


def test_a_bare_python_file_needs_none(tmp_path: Path) -> None:
    program = tmp_path / "my bot!.py"
    program.touch()
    bot = find_bot(str(program))
    assert (bot.command, bot.only) == (("python", "my bot!.py"), ("my bot!.py",))
    assert (bot.name, bot.games, bot.folder) == ("my-bot-", GAME_IDS, tmp_path.resolve())


def test_a_python_file_is_not_taken_for_an_option(tmp_path: Path) -> None:
    (tmp_path / "-v.py").touch()
    bot = find_bot(str(tmp_path / "-v.py"))
    assert (bot.name, bot.command, bot.only) == ("v", ("python", "./-v.py"), ("-v.py",))


def test_a_python_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(BadManifest, match=r"there is no bot 'nobody\.py': no such file"):
        find_bot("nobody.py")


@pytest.mark.parametrize(
    ("word", "arguments"),
    [
        ("python bot.py", ("bot.py",)),
        ("python3 -m kitten --mood 'very calm'", ("-m", "kitten", "--mood", "very calm")),
        (f"python -c {'x' * 5000}", ("-c", "x" * 5000)),
    ],
    ids=["ending in .py", "with quotes", "longer than a file name may be"],
)
def test_a_command_line_in_quotes_is_a_bot(word: str, arguments: tuple[str, ...]) -> None:
    bot = find_bot(word)
    assert bot.command == (word.split()[0], *arguments)
    assert bot.is_foreign
    assert (bot.name, bot.games, bot.folder) == (word.split()[0], GAME_IDS, Path.cwd())


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("", "'' is not a bot: it is empty"),
        ("  ", "'  ' is not a bot: it is empty"),
        ("python 'bot.py", "is not a command line: No closing quotation"),
        ("no-such-program x", "there is no bot 'no-such-program x': not a folder with a bot.toml"),
    ],
)
def test_a_word_that_means_no_bot_is_refused(word: str, sentence: str) -> None:
    with pytest.raises(BadManifest, match=re.escape(sentence)):
        find_bot(word)
