"""Kill and stop each kind of process at random moments."""

from __future__ import annotations

import signal
import time
from pathlib import Path

from tests.faults.event import Trial


def event_is_killed(trial: Trial) -> str:
    """Kill the process that runs the event, again and again."""
    kills = 0
    for _ in range(4):
        with trial.start() as command:
            trial.wait_for_matches(command)
            command.kill()
        kills += command.returncode == -signal.SIGKILL
    assert kills, "the event was over before it could be killed"
    stored = trial.workspace.count_matches()
    trial.finish()
    matches = len(trial.league.rows["matches"])
    return f"{kills} SIGKILLs, the last one after {stored} of {matches} matches"


def workers_are_killed(trial: Trial) -> str:
    """Kill workers: others take their place."""
    kills = 0
    with trial.start() as command:
        for _ in range(3):
            trial.wait_for_matches(command)
            kills += bool(trial.signal_one(trial.workers(command), signal.SIGKILL))
        _, said = command.output()
    replaced = said.count("was ended by SIGKILL; its matches are played again")
    assert command.returncode == 0, said
    assert kills, "no worker was killed"
    assert replaced, said
    trial.finish()
    return f"{kills} SIGKILLs, {replaced} workers replaced, exit 0"


def bots_are_killed(trial: Trial) -> str:
    """Kill bots and their cages: no bot is blamed."""
    kills = 0
    with trial.start() as command:
        while kills < 5 and command.poll() is None:
            trial.wait_for_matches(command, 1)
            kills += bool(trial.signal_one(trial.bots(command), signal.SIGKILL))
        _, said = command.output()
    assert command.returncode == 0, said
    assert kills, "no bot was killed"
    trial.finish()
    return f"{kills} SIGKILLs to bots and cages, exit 0, no bot blamed"


def processes_are_stopped(trial: Trial) -> str:
    """Stop the event, a worker and a bot for a while."""
    stopped = []
    with trial.start() as command:
        for kind in ("event", "worker", "bot"):
            trial.wait_for_matches(command)
            found = {
                "event": lambda: [command.pid],
                "worker": lambda: trial.workers(command),
                "bot": lambda: trial.bots(command),
            }[kind]()
            pid = trial.signal_one(found, signal.SIGSTOP) if command.poll() is None else 0
            if pid:
                time.sleep(1)
                stopped += [kind] * (_state(pid) == "T")
                trial.signal_one([pid], signal.SIGCONT)
        _, said = command.output()
    assert command.returncode == 0, said
    assert stopped, "nothing was stopped"
    trial.finish()
    return f"SIGSTOP for 1 s each: {', '.join(stopped)}"


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


_JUMPING = """
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from arena.tournament.playing import run_event
from leaderboard.events import find_event
from leaderboard.store import Store

calls = count(1)

def now():
    days = 400 if next(calls) % 2 else -400
    return datetime.now(UTC) + timedelta(days=days)

if __name__ == "__main__":
    with Store.open(Path("arena.db")) as store, store.writing() as writer:
        assert run_event(writer, find_event(writer, "cup"), jobs=2, tables=4, now=now)
    print(next(calls) - 1)
"""


def clock_jumps(trial: Trial) -> str:
    """Let the clock that the event reads jump by more than two years, forward and back."""
    program = trial.workspace.folder / "jumping.py"
    program.write_text(_JUMPING)
    with trial.workspace.start(program=(str(program),)) as command:
        out, said = command.output()
    assert command.returncode == 0, said
    jumps = int(out)
    assert jumps > 10
    trial.finish()
    return f"{jumps} jumps of 800 days"


TRIALS = (event_is_killed, workers_are_killed, bots_are_killed, processes_are_stopped, clock_jumps)
