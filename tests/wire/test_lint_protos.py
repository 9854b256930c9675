"""scripts/lint_protos finds bad style in protos/, and changes that break what was released."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = ("scripts/lint_protos", "scripts/protos/package.json", "scripts/protos/package-lock.json")
INSTALL_LIMIT_S = 180.0


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with buf installed, one for all test processes."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder = shared / "buf"
    with (shared / "buf.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            install_buf(folder)
    if not (folder / "node_modules").exists():
        pytest.skip("npm is missing, or could not install buf")
    return folder / "node_modules"


def install_buf(folder: Path) -> None:
    """Install buf into a folder; if that fails, the folder has no packages."""
    folder.mkdir()
    for name in FILES[1:]:
        shutil.copy(ROOT / name, folder)
    command = ["npm", "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
    try:
        subprocess.run(command, cwd=folder, check=True, timeout=INSTALL_LIMIT_S)
    except (OSError, subprocess.SubprocessError):
        shutil.rmtree(folder / "node_modules", ignore_errors=True)


@pytest.fixture
def checkout(packages: Path, tmp_path: Path) -> Path:
    """Return a repository with the script and the protos, in which nothing was released."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "scripts" / "protos" / "node_modules").symlink_to(packages)
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
    script = checkout / "scripts" / "lint_protos"
    return subprocess.run([script], capture_output=True, text=True)


def replace(checkout: Path, old: str, new: str) -> None:
    """Change match.proto."""
    path = checkout / "protos" / "arena" / "wire" / "v1" / "match.proto"
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.slow
def test_our_protos_pass(checkout: Path) -> None:
    done = lint(checkout)
    assert (done.returncode, done.stdout) == (0, "")
    assert "nothing has been released yet" in done.stderr
    release(checkout)
    done = lint(checkout)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


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


@pytest.mark.slow
def test_a_field_without_a_comment_or_in_another_style_is_found(checkout: Path) -> None:
    replace(checkout, "  double wall_left_s = 7;", "  double wallLeft = 7;\n  bool a = 8;")
    done = lint(checkout)
    assert done.returncode != 0
    assert "wallLeft" in done.stdout
    assert 'Field "a" should have a non-empty comment' in done.stdout


def test_the_lock_file_names_no_registry() -> None:
    text = (ROOT / FILES[2]).read_text(encoding="utf-8")
    packages = json.loads(text)["packages"]
    assert not [name for name, package in packages.items() if "resolved" in package]
    assert all(package["integrity"] for name, package in packages.items() if name)
