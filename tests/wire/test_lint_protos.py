"""scripts/lint_protos finds bad style in protos/, and changes that break what was released."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = "scripts/lint_protos"
needs_npx = pytest.mark.skipif(shutil.which("npx") is None, reason="npx is not installed")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a repository with the script and the protos, in which nothing was released."""
    (tmp_path / SCRIPT).parent.mkdir()
    shutil.copy(ROOT / SCRIPT, tmp_path / SCRIPT)
    shutil.copytree(ROOT / "protos", tmp_path / "protos")
    git(tmp_path, "init", "--quiet")
    return tmp_path


def git(folder: Path, *words: str) -> None:
    """Run git as someone."""
    who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def release(checkout: Path) -> None:
    """Commit and tag everything."""
    git(checkout, "add", "protos")
    git(checkout, "commit", "--quiet", "-m", "Release")
    git(checkout, "tag", "v0.1.0")


def lint(checkout: Path) -> subprocess.CompletedProcess[str]:
    """Run the script."""
    return subprocess.run([checkout / SCRIPT], capture_output=True, text=True)


def replace(checkout: Path, old: str, new: str) -> None:
    """Change match.proto."""
    path = checkout / "protos" / "arena" / "wire" / "v1" / "match.proto"
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


@needs_npx
@pytest.mark.slow
def test_our_protos_pass(checkout: Path) -> None:
    done = lint(checkout)
    assert (done.returncode, done.stdout) == (0, "")
    assert "nothing has been released yet" in done.stderr
    release(checkout)
    done = lint(checkout)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@needs_npx
@pytest.mark.slow
def test_a_new_field_passes_after_a_release_and_a_new_number_does_not(checkout: Path) -> None:
    release(checkout)
    replace(
        checkout, "  double wall_left_s = 7;", "  double wall_left_s = 7;\n  // New.\n  bool a = 8;"
    )
    assert lint(checkout).returncode == 0
    replace(checkout, "  double wall_left_s = 7;", "  double wall_left_s = 9;")
    done = lint(checkout)
    assert done.returncode != 0
    assert 'field "7" with name "wall_left_s"' in done.stdout


@needs_npx
@pytest.mark.slow
def test_a_field_without_a_comment_or_in_another_style_is_found(checkout: Path) -> None:
    replace(checkout, "  double wall_left_s = 7;", "  double wallLeft = 7;\n  bool a = 8;")
    done = lint(checkout)
    assert done.returncode != 0
    assert "wallLeft" in done.stdout
    assert 'Field "a" should have a non-empty comment' in done.stdout
