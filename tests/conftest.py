"""Settings for all tests."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from contextlib import suppress
from importlib import import_module

import pytest
from hypothesis import HealthCheck, settings

from tests.cages import cage, cage_name

# Keep gRPC's own log messages about closed connections out of the output of failing tests.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")


def pytest_configure(config: pytest.Config) -> None:
    """Choose how many examples a law is tested with: `scripts/test --all` tries more.

    Each worker has a temporary folder of its own: referees that share one clean up after each other
    and take turns with secret deals, those of other runs on this machine included.
    """
    if hasattr(config, "workerinput"):
        folder = tempfile.mkdtemp(prefix="tests-of-arena-")
        # Bots have other user ids.
        os.chmod(folder, 0o1777)
        os.environ["TMPDIR"] = tempfile.tempdir = folder
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


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the temporary folder of a worker."""
    if hasattr(config, "workerinput"):
        shutil.rmtree(tempfile.gettempdir(), ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """In a fresh clone, let each worker compile a share of the tests before it imports them all."""
    worker = getattr(session.config, "workerinput", None)
    if worker is None:
        return
    root = session.config.rootpath
    folders = (root / argument for argument in session.config.args)
    files = sorted(file for folder in folders for file in folder.rglob("test_*.py"))
    first = int(worker["workerid"].removeprefix("gw"))
    for file in files[first :: worker["workercount"]]:
        # A test file that cannot be imported is reported when all are.
        with suppress(Exception, pytest.skip.Exception):
            import_module(".".join(file.relative_to(root).with_suffix("").parts))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the longest tests first: at the end, one worker would play while the others are idle."""
    items.sort(key=lambda item: "tournament" not in item.path.parts)


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
