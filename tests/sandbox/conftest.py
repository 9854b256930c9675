"""What do the tests of the sandbox share?"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


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
