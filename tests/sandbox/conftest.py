"""Fixtures of the sandbox tests."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from arena.sandbox.image.memory import memory_bases
from arena.sandbox.select import NoCage
from tests.sandbox.wheelhouse import use_wheelhouse


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, object, object]:
    """Skip a test that needs a cage which does not work on this machine, but not in CI."""
    return (yield from _skipping())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """Skip a test whose cage does not work on this machine, but not in CI."""
    return (yield from _skipping())


def _skipping() -> Generator[None, object, object]:
    try:
        return (yield)
    except NoCage as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a cache folder for this test, which does not exist yet."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("ARENA_CACHE", str(folder))
    return folder


@pytest.fixture
def wheelhouse(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the only folder in which pip looks for packages, without any network."""
    folder = tmp_path / "wheelhouse"
    folder.mkdir()
    use_wheelhouse(monkeypatch, folder)
    return folder


@pytest.fixture
def base(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Create all temporary folders in an empty folder with a path short enough for sockets."""
    folder = Path(tempfile.mkdtemp(prefix="test-", dir=next(iter(memory_bases()), "/tmp")))
    # Bots that run as other users must be able to pass through.
    folder.chmod(0o711)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    yield folder
    while folder.exists():
        # What programs of the test have shared is just being removed.
        shutil.rmtree(folder, ignore_errors=True)
