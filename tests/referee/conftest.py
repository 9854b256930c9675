"""Fixtures for the tests of the referee."""

from __future__ import annotations

import pytest

from arena.referee.players.connection import DRIVER, Driver


@pytest.fixture(
    params=[
        pytest.param(Driver.OWN, id="own"),
        pytest.param(Driver.GRPCIO, id="grpcio", marks=pytest.mark.slow),
    ]
)
def driver(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Driver:
    """Play with our own driver of gRPC; with grpcio's too if slow tests are run."""
    chosen: Driver = request.param
    monkeypatch.setenv(DRIVER, chosen.value)
    return chosen
