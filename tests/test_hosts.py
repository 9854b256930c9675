"""scripts/hosts names the hosts that it can make, and what it does not know."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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
