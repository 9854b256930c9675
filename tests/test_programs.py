"""Does scripts/programs install what is missing, and say what it cannot?"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "programs"


class Machine:
    """A pretended machine: a folder of programs that is the only one in PATH."""

    def __init__(self, folder: Path) -> None:
        """Begin with root and without apt-get."""
        self.folder = folder
        self.log = folder / "log"
        self.has("id", "echo 0")
        self.has("env", 'shift; "$@"')

    def has(self, name: str, lines: str) -> None:
        """Add a program."""
        program = self.folder / name
        program.write_text(f"#!/bin/bash\n{lines}\n", encoding="utf-8")
        program.chmod(0o755)

    def run(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Ask for programs."""
        return subprocess.run(
            ["/bin/bash", SCRIPT, "bots do not play", *words],
            capture_output=True,
            text=True,
            env={"PATH": str(self.folder), **variables},
        )

    def calls(self) -> list[str]:
        """Return what apt-get was told to do."""
        return self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Return a machine with nothing on it."""
    return Machine(tmp_path)


INSTALL = "install -qq -y --no-install-recommends bubblewrap"


def test_nothing_is_said_or_done_where_nothing_is_missing(machine: Machine) -> None:
    machine.has("bwrap", "")
    machine.has("apt-get", f'echo "$*" >> "{machine.log}"')
    done = machine.run("bwrap:bubblewrap")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert machine.calls() == []


def test_root_installs_what_is_missing_and_says_so(machine: Machine) -> None:
    machine.has("node", "")
    machine.has("apt-get", f'echo "$*" >> "{machine.log}"')
    done = machine.run("bwrap:bubblewrap", "node:nodejs")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "programs: installing Debian's bubblewrap\n"
    assert machine.calls() == [INSTALL]


def test_a_library_is_looked_for_where_the_loader_finds_it(machine: Machine) -> None:
    machine.has("ldconfig", "echo libatomic.so.1")
    machine.has("apt-get", f'echo "$*" >> "{machine.log}"')
    assert machine.run("libatomic.so.1:libatomic1").returncode == 0
    assert machine.calls() == []
    machine.has("ldconfig", "echo libm.so.6")
    assert machine.run("libatomic.so.1:libatomic1").returncode == 0
    assert machine.calls() == [INSTALL.replace("bubblewrap", "libatomic1")]


def test_lists_of_packages_that_are_old_are_renewed(machine: Machine) -> None:
    machine.has("apt-get", f'echo "$*" >> "{machine.log}"; [[ $(< "{machine.log}") == *update* ]]')
    assert machine.run("bwrap:bubblewrap").returncode == 0
    assert machine.calls() == [INSTALL, "update -qq", INSTALL]


@pytest.mark.parametrize(("variables", "code"), [({}, 0), ({"CI": "1"}, 1)], ids=["at home", "CI"])
def test_what_cannot_be_installed_is_a_failure_in_ci_only(
    machine: Machine, variables: dict[str, str], code: int
) -> None:
    machine.has("apt-get", "exit 100")
    done = machine.run("bwrap:bubblewrap", **variables)
    assert done.returncode == code
    assert "bubblewrap cannot be installed: bots do not play" in done.stderr


def test_an_ordinary_user_is_told_the_command(machine: Machine) -> None:
    machine.has("id", "echo 1000")
    machine.has("sudo", "exit 1  # it would ask for a password")
    machine.has("apt-get", f'echo "$*" >> "{machine.log}"')
    done = machine.run("bwrap:bubblewrap", CI="1")
    assert done.returncode == 0
    assert done.stderr == (
        "programs: bubblewrap cannot be installed without root and apt-get: bots do not play. "
        "On Debian, as root: apt-get install bubblewrap\n"
    )
    assert machine.calls() == []


def test_a_user_whom_sudo_asks_for_no_password_installs_like_root(machine: Machine) -> None:
    machine.has("id", "echo 1000")
    machine.has("sudo", 'shift; [ "$1" = true ] || "$@"')
    machine.has("apt-get", f'echo "$*" >> "{machine.log}"')
    assert machine.run("bwrap:bubblewrap").returncode == 0
    assert machine.calls() == [INSTALL]


def test_a_machine_without_apt_is_told_the_same(machine: Machine) -> None:
    done = machine.run("bwrap:bubblewrap", CI="1")
    assert done.returncode == 0
    assert "bubblewrap cannot be installed without root and apt-get" in done.stderr
