"""Served leagues for the tests of this folder; without the extra `serve` they are skipped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

for name in ("fastapi", "uvicorn", "python_multipart", "httpx"):
    pytest.importorskip(name, reason="the extra `serve` is not installed")

if TYPE_CHECKING:
    from tests.serve.in_process import InProcess


@pytest.fixture
def league(tmp_path: Path) -> Iterator[InProcess]:
    """Serve an empty league in this process."""
    from tests.serve.in_process import InProcess

    served = InProcess(tmp_path)
    yield served
    served.close()
