"""scripts/hosts names the hosts that it can make, and what it does not know."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from runpy import run_path

import pytest

HOSTS = Path(__file__).parents[1] / "scripts" / "hosts"


def hosts(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the script."""
    return subprocess.run([sys.executable, HOSTS, *words], capture_output=True, text=True)


def test_the_hosts_that_can_be_made_here_are_listed() -> None:
    listed = hosts("--list").stdout.splitlines()
    names = [line.split()[0] for line in listed]
    assert names[:3] == ["root-system-python", "user", "user-no-namespaces"]
    assert all(line.split(maxsplit=1)[1] for line in listed)


def test_an_unknown_host_is_named_with_those_that_exist() -> None:
    refused = hosts("usr")
    assert refused.returncode == 2
    assert "no host usr here; there are root-system-python, user, " in refused.stderr


@pytest.mark.parametrize(
    ("lines", "code", "result"),
    [
        (["2 passed, 1 skipped in 302.99s (0:05:02)"], 0, "2 passed, 1 skipped"),
        (["= 1 failed, 2 passed in 1.20s =", "mypy: fine"], 1, "1 failed, 2 passed"),
        (["2 passed in 1.20s", "Found 3 errors in 2 files"], 1, "2 passed, exit 1"),
        (["setup: pip failed; see its messages above"], 1, "no tests, exit 1"),
    ],
    ids=["all pass", "a test fails", "a check fails", "the environment is not made"],
)
def test_the_result_is_that_of_the_tests_and_says_if_something_else_failed(
    lines: list[str], code: int, result: str
) -> None:
    assert run_path(str(HOSTS))["result_of"](lines, code) == result
