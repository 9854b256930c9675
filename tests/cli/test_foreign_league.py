"""Can a league that somebody else made do harm to those who look at it, or go on with it?"""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.events.league import submit_folder
from arena.events.spec import Kind, Spec
from arena.manifest import read_manifest
from tests.cages import cage
from tests.cli.leagues import arena
from tests.events.folders import bot_folder
from tests.events.leagues import NOON, PretendedWorkers, begun, gone_on, league

SPY = """
open({canary!r}, "w").close()
sys.exit(1)
"""


def event_of_spies(folder: Path, *, cage: str) -> tuple[Path, Path]:
    """Make a league in which an event was stopped whose bots leave a trace wherever they run.

    Return its file and where the trace would be.
    """
    canary = folder / "canary"
    program = folder / "spy.py"
    program.write_text(SPY.format(canary=str(canary)))
    with league(folder, []) as writer:
        for name in ("ann", "ben"):
            spy = bot_folder(folder / "spies", name, program)
            submit_folder(writer, read_manifest(spy), now=NOON)
        bots = ("ann", "ben")
        begun(writer, Spec(Kind.ROUND_ROBIN, "meow", "cup", bots, seats=2, deals=100, cage=cage))
        gone_on(writer, "cup", PretendedWorkers(), stop_after=1)
    return folder / "arena.db", canary


def test_a_league_cannot_ask_for_its_bots_to_run_without_a_cage(tmp_path: Path) -> None:
    db, canary = event_of_spies(tmp_path, cage="none")
    for name in ([], ["cup"]):
        refused = arena(db, "event", "resume", *name)
        assert refused.exit_code == 2
        assert refused.stderr == (
            "Error: cup is held without a cage: its bots could read, change and send whatever you "
            "can. If you trust all of them, say so with --cage none\n"
        )
        assert not canary.exists()
    gone_on_with = arena(db, "event", "resume", "--cage", "none", "-q")
    assert gone_on_with.exit_code == 0, gone_on_with.output
    assert "warning: no cage" in gone_on_with.stderr
    assert canary.exists(), gone_on_with.output


def test_an_event_in_a_cage_does_not_lose_it_when_it_is_resumed(tmp_path: Path) -> None:
    db, canary = event_of_spies(tmp_path, cage="auto")
    refused = arena(db, "event", "resume", "--cage", "none")
    assert refused.exit_code == 2
    assert "cup is held in a cage: leave out --cage none" in refused.stderr
    assert not canary.exists()


@pytest.mark.skipif(cage().name == "none", reason="there is no cage to run it in")
@pytest.mark.parametrize("command", ["event resume", "reproduce cup/0", "compare ann@1 ben@1"])
def test_no_other_command_runs_a_bot_of_a_league_without_a_cage(
    tmp_path: Path, command: str
) -> None:
    # For `resume`, an event that is in a cage by its own account.
    db, canary = event_of_spies(tmp_path, cage="auto" if "resume" in command else "none")
    more = ["--game", "meow", "--deals", "1", "-q"] if "compare" in command else []
    arena(db, *command.split(), *more)
    assert not canary.exists()


def test_the_debugger_runs_no_bot_of_a_league_unless_it_is_trusted(tmp_path: Path) -> None:
    db, canary = event_of_spies(tmp_path, cage="none")
    refused = arena(db, "reproduce", "cup/0", "--pdb")
    assert refused.exit_code == 2
    assert " of the league without a cage" in refused.stderr
    assert "say so with --cage none, or name a folder of your own with --bot" in refused.stderr
    assert not canary.exists()
