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


@pytest.fixture
def short_crash_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait only briefly for the end of a bot that hung up, and that does not end."""
    monkeypatch.setattr("arena.referee.players.disconnect._CRASH_WINDOW_S", 0.1)
