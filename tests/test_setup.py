"""scripts/setup creates the environment once, completely, and explains failures."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

PYTHON = """#!/bin/bash
# A fake Python that logs its arguments.
case "$*" in
    *version_info*) [ ! -e "$STAGE/old" ] ;;
    *ensurepip*) exit 0 ;;
    -V*) cat "$STAGE/release" ;;
    *grpc_tools* | *"import trueskill"*) ;;
    *) echo "$*" >> "$STAGE/log" ;;
esac || exit 1
case "$*" in
    "-m venv"*) rm -rf .venv && mkdir -p .venv/bin && cp "$STAGE/python3" .venv/bin/python ;;
    *"pip install"*)
        [ ! -p "$STAGE/slow" ] || cat "$STAGE/slow"
        [ ! -e "$STAGE/offline" ] ;;
esac
"""
VENV = "-m venv --clear .venv"
PIP = "-m pip install --quiet --no-compile --upgrade"
ARENA = f"{PIP} --editable ."
TESTS = f"{ARENA} --group tests"
EVERYTHING = f"{ARENA} --group dev"


class Stage:
    """A checkout with only the script under test, and a fake Python."""

    def __init__(self, folder: Path) -> None:
        """Create the checkout."""
        self.folder = folder
        self.checkout = folder / "a checkout"
        (self.checkout / "scripts").mkdir(parents=True)
        (self.checkout / "pyproject.toml").touch()
        shutil.copy(ROOT / "scripts" / "setup", self.checkout / "scripts")
        (folder / "release").write_text("Python 3.11.0\n")
        python = folder / "python3"
        python.write_text(PYTHON, encoding="utf-8")
        python.chmod(0o755)

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start the script, without HOME."""
        return subprocess.Popen(
            [self.checkout / "scripts" / "setup", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={"PATH": f"{self.folder}:/usr/bin:/bin", "STAGE": str(self.folder)},
        )

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the script to its end."""
        process = self.start(*arguments)
        out, err = process.communicate()
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def log(self) -> list[str]:
        """Return every call of Python."""
        log = self.folder / "log"
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        return [line for line in lines if "pip>=" not in line]

    def calls(self) -> list[str]:
        """Return the calls of Python since the last call of this method."""
        lines = self.log()
        (self.folder / "log").write_text("", encoding="utf-8")
        return lines


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """Return a checkout that is not set up yet."""
    return Stage(tmp_path)


def test_a_second_run_prints_and_does_nothing(stage: Stage) -> None:
    assert stage.run().returncode == 0
    assert stage.calls() == [VENV, EVERYTHING]
    done = stage.run()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert stage.calls() == []


def test_the_development_tools_are_optional(stage: Stage) -> None:
    stage.run("arena")
    assert stage.calls() == [VENV, ARENA]
    stage.run("arena")
    assert stage.calls() == []
    stage.run("tests")
    assert stage.calls() == [TESTS]
    stage.run()
    assert stage.calls() == [EVERYTHING]
    for target in ("arena", "tests"):
        stage.run(target)
        assert stage.calls() == []


def test_an_unfinished_setup_starts_over(stage: Stage) -> None:
    (stage.folder / "offline").touch()
    done = stage.run()
    assert done.returncode == 1
    assert "pip failed" in done.stderr.splitlines()[-1]
    (stage.folder / "offline").unlink()
    stage.calls()
    assert stage.run().returncode == 0
    assert stage.calls() == [VENV, EVERYTHING]


def test_changed_dependencies_are_installed_into_the_same_environment(stage: Stage) -> None:
    stage.run()
    stage.calls()
    (stage.checkout / "pyproject.toml").write_text("# more")
    assert stage.run().returncode == 0
    assert stage.calls() == [EVERYTHING]


def test_another_python_or_a_moved_checkout_starts_over(stage: Stage) -> None:
    stage.run()
    (stage.folder / "release").write_text("Python 3.12.0\n")
    stage.calls()
    assert stage.run().returncode == 0
    assert stage.calls() == [VENV, EVERYTHING]
    stage.checkout = stage.checkout.rename(stage.folder / "moved")
    assert stage.run().returncode == 0
    assert stage.calls() == [VENV, EVERYTHING]


def test_the_second_of_two_concurrent_runs_waits_and_does_nothing(stage: Stage) -> None:
    os.mkfifo(stage.folder / "slow")
    first = stage.start()
    # The open succeeds once pip is running; pip continues when the pipe is closed.
    with (stage.folder / "slow").open("w"):
        second = stage.start()
        while "flock" not in children_of(second.pid) and stage.log().count(VENV) == 1:
            assert second.poll() is None
        (stage.folder / "slow").unlink()
    for process in (first, second):
        process.communicate()
        assert process.returncode == 0
    assert stage.calls() == [VENV, EVERYTHING]


def children_of(pid: int) -> list[str]:
    """Return the names of the programs that a process has started."""
    found = []
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        # It may have ended in the meantime.
        with suppress(OSError):
            found.append(Path(f"/proc/{child}/comm").read_text().strip())
    return found


def test_an_old_python_is_refused(stage: Stage) -> None:
    (stage.folder / "old").touch()
    done = stage.run()
    assert (done.returncode, stage.calls()) == (1, [])
    assert "Python 3.11 or newer is required" in done.stderr
