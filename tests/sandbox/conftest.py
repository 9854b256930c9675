"""What do the tests of the sandbox share?"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from arena.sandbox.cages import NoCage


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """Skip a test whose cage this machine cannot have, but not in CI."""
    try:
        return (yield)
    except NoCage as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the cache of this test alone, which is not there yet."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("ARENA_CACHE", str(folder))
    return folder


@pytest.fixture
def shop(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the only folder in which pip looks for packages."""
    folder = tmp_path / "shop"
    folder.mkdir()
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("no_proxy", "*")
    return folder


@pytest.fixture
def base(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Have all places made in an empty folder of this test, which is short enough for sockets."""
    folder = Path(tempfile.mkdtemp(prefix="test-", dir="/tmp"))
    # Bots that run as other users must get through.
    folder.chmod(0o711)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    yield folder
    shutil.rmtree(folder)
