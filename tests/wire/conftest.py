"""Run the tests of the wire with each codec."""

from __future__ import annotations

import os

import pytest

from arena.wire.backend import PYTHON, Backend, native_backend
from arena.wire.envelope import Envelope, envelope_in

NOT_BUILT = "the codec in C is not built: it needs a C compiler and the headers of Python"


@pytest.fixture
def native() -> Backend:
    """Return the codec in C."""
    found = native_backend()
    if found is None:
        if os.environ.get("CI"):
            pytest.fail(NOT_BUILT)
        pytest.skip(NOT_BUILT)
    return found


@pytest.fixture(params=["python", "native"])
def backend(request: pytest.FixtureRequest) -> Backend:
    """Return each codec in turn."""
    if request.param == "python":
        return PYTHON
    found: Backend = request.getfixturevalue("native")
    return found


@pytest.fixture
def envelope(backend: Backend) -> Envelope:
    """Return the messages that are the same for all games, in each codec in turn."""
    return envelope_in(backend)
