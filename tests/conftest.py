"""Settings for all tests."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

from tests.cages import cage, cage_name

# Keep gRPC's own log messages about closed connections out of the output of failing tests.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")


def pytest_configure(config: pytest.Config) -> None:
    """Choose how many examples a law is tested with: `scripts/test --all` tries more."""
    # Durations depend on the machine more than on the code under test. In CI a run says something
    # about the change that it tests, so all runs try the same examples; at home, each tries others.
    settings.register_profile(
        "any machine",
        max_examples=25 if config.getoption("markexpr") else 100,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
        derandomize=bool(os.environ.get("CI")),
    )
    settings.load_profile("any machine")


@pytest.fixture(scope="session", autouse=True)
def _files_of_bots() -> None:
    """Hold the files that all bots see, so that programs started by tests need not copy them."""
    cage()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in which cage bots ran: other machines have others."""
    terminalreporter.write_line(f"cage: {cage_name()}")


# A shell makes its background processes ignore SIGINT, which some tests send.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
