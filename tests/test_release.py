"""scripts/release refuses a release that is not ready."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from runpy import run_path

import pytest

ROOT = Path(__file__).parents[1]
TAKE = "scripts/pictures/take.py"
GIT = ("git", "-c", "user.name=A", "-c", "user.email=a@example.com")


class Checkout:
    """A project that is ready for release, except that its tests fail."""

    def __init__(self, folder: Path) -> None:
        """Commit every file that a release reads."""
        self.folder = folder
        (folder / "scripts").mkdir()
        shutil.copy(ROOT / "scripts" / "release", folder / "scripts")
        (folder / "scripts" / "pictures").mkdir()
        shutil.copy(ROOT / TAKE, folder / TAKE)
        names = run_path(str(folder / TAKE))
        self.write(
            "scripts/pictures/sources.json",
            json.dumps({name: names["hash_of"](each) for name, each in names["SOURCES"].items()}),
        )
        failing = folder / "scripts" / "test"
        failing.write_text("#!/bin/bash\nexit 1\n", encoding="utf-8")
        failing.chmod(0o755)
        (folder / "arena").mkdir()
        self.write("arena/__init__.py", '"""Ours."""\n\n__version__ = "1.2.0"\n')
        self.write(
            "CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n- A thing.\n\n## 1.1.0\n\n- B.\n"
        )
        self.git("init", "-q", "-b", "main")
        self.commit()

    def write(self, name: str, text: str) -> None:
        """Change a file."""
        (self.folder / name).write_text(text, encoding="utf-8")

    def git(self, *arguments: str) -> str:
        """Run git and return its output."""
        done = subprocess.run(
            [*GIT, *arguments], cwd=self.folder, check=True, capture_output=True, text=True
        )
        return done.stdout

    def commit(self) -> None:
        """Commit everything."""
        self.git("add", ".")
        self.git("commit", "-q", "-m", "A change")

    def release(self, *arguments: str) -> tuple[int, str]:
        """Try to release; return the exit code and the last line of stderr."""
        done = subprocess.run(
            [self.folder / "scripts" / "release", *arguments], capture_output=True, text=True
        )
        return done.returncode, done.stderr.splitlines()[-1]


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """Return a project that is ready except for its tests."""
    return Checkout(tmp_path)


@pytest.mark.parametrize("arguments", [(), ("soon",), ("1.2",), ("v1.2.0",)])
def test_a_version_has_three_numbers(checkout: Checkout, arguments: tuple[str, ...]) -> None:
    assert checkout.release(*arguments) == (2, "usage: scripts/release 0.2.0")


def test_uncommitted_changes_stop_a_release(checkout: Checkout) -> None:
    checkout.write("new.py", "")
    assert checkout.release("1.2.0") == (1, "release: there are uncommitted changes")


def test_the_version_in_the_source_must_match(checkout: Checkout) -> None:
    assert checkout.release("1.3.0") == (1, "release: arena/__init__.py has a different version")


def test_a_version_is_released_only_once(checkout: Checkout) -> None:
    checkout.git("tag", "v1.2.0")
    assert checkout.release("1.2.0") == (1, "release: the tag v1.2.0 already exists")


def test_the_changelog_must_say_what_is_new(checkout: Checkout) -> None:
    checkout.write("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n## 1.1.0\n\n- B.\n")
    checkout.commit()
    message = 'release: the changelog has nothing under "Unreleased"'
    assert checkout.release("1.2.0") == (1, message)


def test_pictures_of_other_pages_stop_a_release(checkout: Checkout) -> None:
    (checkout.folder / "arena/pages/files").mkdir(parents=True)
    checkout.write("arena/pages/files/page.css", "body { color: red }")
    checkout.commit()
    assert checkout.release("1.2.0") == (1, "release: the pictures are outdated")


@pytest.mark.slow  # pages change every day, and the pictures are retaken for a release
def test_the_pictures_of_the_readme_show_what_is_drawn_today() -> None:
    checked = subprocess.run(
        [sys.executable, ROOT / TAKE, "--check"], capture_output=True, text=True
    )
    assert (checked.returncode, checked.stderr) == (0, "")


def test_tests_that_fail_in_a_fresh_clone_stop_a_release(checkout: Checkout) -> None:
    before = checkout.git("log", "--oneline")
    assert checkout.release("1.2.0") == (1, "release: the tests fail in a fresh clone")
    assert (checkout.git("tag"), checkout.git("log", "--oneline")) == ("", before)
