"""scripts/programs installs missing programs, or reports the consequences if it cannot."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "programs"


class Machine:
    """A fake machine: a single folder of programs, which is the whole PATH."""

    def __init__(self, folder: Path) -> None:
        """Start as root, without apt-get."""
        self.folder = folder
        self.log = folder / "log"
        self.add("id", "echo 0")
        self.add("env", 'shift; "$@"')
        self.add("flock", "")

    def add(self, name: str, lines: str) -> None:
        """Add a program."""
        program = self.folder / name
        program.write_text(f"#!/bin/bash\n{lines}\n", encoding="utf-8")
        program.chmod(0o755)

    def run(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run the script."""
        return subprocess.run(
            ["/bin/bash", SCRIPT, "bots do not play", *arguments],
            capture_output=True,
            text=True,
            env={"PATH": str(self.folder), **variables},
        )

    def calls(self) -> list[str]:
        """Return every call of apt-get."""
        return self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Return a machine without programs."""
    return Machine(tmp_path)


INSTALL = "install -qq -y --no-install-recommends bubblewrap"


def test_nothing_is_printed_or_installed_if_nothing_is_missing(machine: Machine) -> None:
    machine.add("bwrap", "")
    machine.add("apt-get", f'echo "$*" >> "{machine.log}"')
    done = machine.run("bwrap:bubblewrap")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert machine.calls() == []


def test_root_installs_missing_programs_and_says_so(machine: Machine) -> None:
    machine.add("node", "")
    machine.add("apt-get", f'echo "$*" >> "{machine.log}"')
    done = machine.run("bwrap:bubblewrap", "node:nodejs")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "programs: installing bubblewrap with apt-get\n"
    assert machine.calls() == [INSTALL]


def test_a_library_is_searched_for_where_the_loader_finds_it(machine: Machine) -> None:
    machine.add("ldconfig", "echo libatomic.so.1")
    machine.add("apt-get", f'echo "$*" >> "{machine.log}"')
    assert machine.run("libatomic.so.1:libatomic1").returncode == 0
    assert machine.calls() == []
    machine.add("ldconfig", "echo libm.so.6")
    assert machine.run("libatomic.so.1:libatomic1").returncode == 0
    assert machine.calls() == [INSTALL.replace("bubblewrap", "libatomic1")]


def test_outdated_package_lists_are_updated(machine: Machine) -> None:
    machine.add("apt-get", f'echo "$*" >> "{machine.log}"; [[ $(< "{machine.log}") == *update* ]]')
    assert machine.run("bwrap:bubblewrap").returncode == 0
    assert machine.calls() == [INSTALL, "update -qq", INSTALL]


@pytest.mark.parametrize(("variables", "code"), [({}, 0), ({"CI": "1"}, 1)], ids=["local", "CI"])
def test_a_failed_installation_is_an_error_only_in_ci(
    machine: Machine, variables: dict[str, str], code: int
) -> None:
    machine.add("apt-get", "exit 100")
    done = machine.run("bwrap:bubblewrap", **variables)
    assert done.returncode == code
    assert "bubblewrap cannot be installed: bots do not play" in done.stderr


def test_an_ordinary_user_gets_the_command_to_run(machine: Machine) -> None:
    machine.add("id", "echo 1000")
    machine.add("sudo", "exit 1  # it would ask for a password")
    machine.add("apt-get", f'echo "$*" >> "{machine.log}"')
    done = machine.run("bwrap:bubblewrap", CI="1")
    assert done.returncode == 0
    assert done.stderr == (
        "programs: bubblewrap cannot be installed without root and apt-get: bots do not play. "
        "On Debian, as root: apt-get install bubblewrap\n"
    )
    assert machine.calls() == []


def test_a_user_with_passwordless_sudo_installs_like_root(machine: Machine) -> None:
    machine.add("id", "echo 1000")
    machine.add("sudo", 'shift; [ "$1" = true ] || "$@"')
    machine.add("apt-get", f'echo "$*" >> "{machine.log}"')
    assert machine.run("bwrap:bubblewrap").returncode == 0
    assert machine.calls() == [INSTALL]


def test_a_machine_without_apt_gets_the_same_message(machine: Machine) -> None:
    done = machine.run("bwrap:bubblewrap", CI="1")
    assert done.returncode == 0
    assert "bubblewrap cannot be installed without root and apt-get" in done.stderr
