"""A league file from someone else cannot do harm when it is shown or resumed."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.submission.manifest import read_manifest
from arena.tournament.entrants import submit_folder
from arena.tournament.spec import Kind, Spec
from tests.builders.bots import bot_folder
from tests.builders.leagues import NOON, FakeWorkers, enter, open_league, play_event
from tests.cages import cage
from tests.cli.runner import arena_on, refused

SPY = """
open({canary!r}, "w").close()
sys.exit(1)
"""


def league_of_spies(folder: Path, *, cage: str) -> tuple[Path, Path]:
    """Make a league with an interrupted event whose bots create a file if they run uncaged.

    Return the league's file and the path of the file that they would create.
    """
    canary = folder / "canary"
    program = folder / "spy.py"
    program.write_text(SPY.format(canary=str(canary)))
    with open_league(folder, []) as writer:
        for name in ("ann", "ben"):
            spy = bot_folder(folder / "spies", name, program)
            submit_folder(writer, read_manifest(spy), now=NOON)
        bots = ("ann", "ben")
        enter(
            writer, Spec(Kind.ROUND_ROBIN, "meow", "cup", bots=bots, seats=2, deals=20, cage=cage)
        )
        play_event(writer, "cup", FakeWorkers(), stop_after=1)
    return folder / "arena.db", canary


def test_a_league_cannot_make_its_bots_run_without_a_cage(tmp_path: Path) -> None:
    db, canary = league_of_spies(tmp_path, cage="none")
    for name in ([], ["cup"]):
        assert refused(arena_on(db, "event", "resume", *name)) == (
            "Error: cup runs without a cage: its bots can read, change and send anything that "
            "you can. If you trust all of them, add --cage none\n"
        )
        assert not canary.exists()
    resumed = arena_on(db, "event", "resume", "--cage", "none", "-q", "--jobs", "1")
    assert resumed.exit_code == 0, resumed.output
    assert "warning: no cage" in resumed.stderr
    assert canary.exists(), resumed.output


def test_a_caged_event_stays_caged_when_it_is_resumed(tmp_path: Path) -> None:
    db, canary = league_of_spies(tmp_path, cage="auto")
    answer = refused(arena_on(db, "event", "resume", "--cage", "none"))
    assert "cup runs in a cage: omit --cage none" in answer
    assert not canary.exists()


@pytest.mark.skipif(cage().name == "none", reason="there is no cage to run it in")
@pytest.mark.parametrize("command", ["event resume", "reproduce cup/0", "compare ann@1 ben@1"])
def test_no_other_command_runs_a_bot_of_a_league_without_a_cage(
    tmp_path: Path, command: str
) -> None:
    # `resume` gets an event that says it runs in a cage.
    db, canary = league_of_spies(tmp_path, cage="auto" if "resume" in command else "none")
    more = ["--game", "meow", "--deals", "1", "-q"] if "compare" in command else []
    more += [] if "reproduce" in command else ["--jobs", "1"]
    arena_on(db, *command.split(), *more)
    assert not canary.exists()


def test_the_debugger_runs_no_bot_of_a_league_unless_it_is_trusted(tmp_path: Path) -> None:
    db, canary = league_of_spies(tmp_path, cage="none")
    answer = refused(arena_on(db, "reproduce", "cup/0", "--pdb"))
    assert " from the league without a cage" in answer
    assert "add --cage none, or name your own bot with --bot" in answer
    assert not canary.exists()
