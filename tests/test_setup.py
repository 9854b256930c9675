"""Does scripts/setup make the environment once, wholly, and say what hinders it?"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

PYTHON = """#!/bin/bash
# A pretended Python that writes down what it is told to do.
case "$*" in
    *version_info*) [ ! -e "$STAGE/old" ] ;;
    *ensurepip*) exit 0 ;;
    -V*) echo "Python 3.11.0" ;;
    *) echo "$*" >> "$STAGE/log" ;;
esac || exit 1
case "$*" in
    "-m venv"*) rm -rf .venv && mkdir -p .venv/bin && cp "$STAGE/python3" .venv/bin/python ;;
    *"pip install"*) [ ! -e "$STAGE/offline" ] ;;
esac
"""
VENV = "-m venv --clear .venv"
PIP = "-m pip install --quiet --upgrade"
ARENA = f"{PIP} --editable ."
EVERYTHING = f"{ARENA} --group dev"


class Stage:
    """A checkout with nothing but what is tried, and a Python that does nothing."""

    def __init__(self, folder: Path) -> None:
        """Lay it out."""
        self.folder = folder
        checkout = folder / "a checkout"
        (checkout / "scripts").mkdir(parents=True)
        (checkout / "pyproject.toml").touch()
        self.script = Path(shutil.copy(ROOT / "scripts" / "setup", checkout / "scripts"))
        python = folder / "python3"
        python.write_text(PYTHON, encoding="utf-8")
        python.chmod(0o755)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run it, without a HOME."""
        variables = {"PATH": f"{self.folder}:/usr/bin:/bin", "STAGE": str(self.folder)}
        return subprocess.run([self.script, *words], capture_output=True, text=True, env=variables)

    def calls(self) -> list[str]:
        """Return what Python was told to do since this was last asked."""
        log = self.folder / "log"
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        log.write_text("", encoding="utf-8")
        return [line for line in lines if "pip>=" not in line]


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """Return a checkout that is not set up."""
    return Stage(tmp_path)


def test_the_second_time_nothing_is_said_or_done(stage: Stage) -> None:
    assert stage.run().returncode == 0
    assert stage.calls() == [VENV, EVERYTHING]
    done = stage.run()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert stage.calls() == []


def test_to_play_the_checks_need_not_be_installed(stage: Stage) -> None:
    stage.run("arena")
    assert stage.calls() == [VENV, ARENA]
    stage.run("arena")
    assert stage.calls() == []
    stage.run()
    assert stage.calls() == [EVERYTHING]
    stage.run("arena")
    assert stage.calls() == []


def test_what_was_not_finished_is_begun_anew(stage: Stage) -> None:
    (stage.folder / "offline").touch()
    done = stage.run()
    assert done.returncode == 1
    assert "pip could not install" in done.stderr.splitlines()[-1]
    (stage.folder / "offline").unlink()
    stage.calls()
    assert stage.run().returncode == 0
    assert stage.calls() == [VENV, EVERYTHING]


def test_an_old_python_is_refused_with_a_sentence(stage: Stage) -> None:
    (stage.folder / "old").touch()
    done = stage.run()
    assert (done.returncode, stage.calls()) == (1, [])
    assert "Python 3.11 or newer is needed" in done.stderr
