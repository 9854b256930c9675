"""Does scripts/release refuse to release what is not true?"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GIT = ("git", "-c", "user.name=A", "-c", "user.email=a@example.com")


class Checkout:
    """A project that could be released, were it not for its tests."""

    def __init__(self, folder: Path) -> None:
        """Commit all that a release looks at."""
        self.folder = folder
        (folder / "scripts").mkdir()
        shutil.copy(ROOT / "scripts" / "release", folder / "scripts")
        failing = folder / "scripts" / "test"
        failing.write_text("#!/bin/bash\nexit 1\n", encoding="utf-8")
        failing.chmod(0o755)
        self.write("pyproject.toml", 'version = "1.2.0"\n')
        self.write(
            "CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n- A thing.\n\n## 1.1.0\n\n- B.\n"
        )
        self.git("init", "-q", "-b", "main")
        self.commit()

    def write(self, name: str, text: str) -> None:
        """Change a file."""
        (self.folder / name).write_text(text, encoding="utf-8")

    def git(self, *words: str) -> str:
        """Run git, and return what it prints."""
        done = subprocess.run(
            [*GIT, *words], cwd=self.folder, check=True, capture_output=True, text=True
        )
        return done.stdout

    def commit(self) -> None:
        """Commit everything."""
        self.git("add", ".")
        self.git("commit", "-q", "-m", "A change")

    def release(self, *words: str) -> tuple[int, str]:
        """Try to release; return the exit code and what is said last."""
        done = subprocess.run(
            [self.folder / "scripts" / "release", *words], capture_output=True, text=True
        )
        return done.returncode, done.stderr.splitlines()[-1]


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """Return a project in which all is well but its tests."""
    return Checkout(tmp_path)


@pytest.mark.parametrize("words", [(), ("soon",), ("1.2",), ("v1.2.0",)])
def test_a_version_has_three_numbers(checkout: Checkout, words: tuple[str, ...]) -> None:
    assert checkout.release(*words) == (2, "usage: scripts/release 0.2.0")


def test_what_is_not_committed_is_not_released(checkout: Checkout) -> None:
    checkout.write("new.py", "")
    assert checkout.release("1.2.0") == (1, "release: there are changes that are not committed")


def test_pyproject_must_name_the_version(checkout: Checkout) -> None:
    assert checkout.release("1.3.0") == (1, "release: pyproject.toml names another version")


def test_a_version_is_released_once(checkout: Checkout) -> None:
    checkout.git("tag", "v1.2.0")
    assert checkout.release("1.2.0") == (1, "release: there is a tag v1.2.0 already")


def test_the_changelog_must_say_what_is_new(checkout: Checkout) -> None:
    checkout.write("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n## 1.1.0\n\n- B.\n")
    checkout.commit()
    said = 'release: the changelog has nothing under "Unreleased"'
    assert checkout.release("1.2.0") == (1, said)


def test_tests_that_fail_in_a_fresh_clone_stop_a_release(checkout: Checkout) -> None:
    before = checkout.git("log", "--oneline")
    assert checkout.release("1.2.0") == (1, "release: the tests do not pass in a fresh clone")
    assert (checkout.git("tag"), checkout.git("log", "--oneline")) == ("", before)
