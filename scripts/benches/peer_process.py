"""The process that plays the games of other libraries, and its virtual environment."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PEERS = ROOT / ".venv-peers"


class Peers:
    """The process that plays the other libraries' games."""

    def __init__(self) -> None:
        """Create their environment if necessary, and start the process."""
        command = [_peers_python(), Path(__file__).with_name("peer.py")]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def rate(self, library: str, name: str, seconds: float) -> float:
        """Return the decisions per second of one turn."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{library} {name} {seconds}\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline().split()
        if len(answer) != 2:
            sys.exit(f"{library} cannot play {name} here")
        return int(answer[0]) / float(answer[1])


def _peers_python() -> Path:
    """Return a Python that has the `peers` of pyproject.toml; install them if necessary."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    wanted = " ".join(groups["peers"])
    ready = PEERS / "ready"
    python = PEERS / "bin" / "python"
    if not ready.exists() or ready.read_text() != wanted:
        print(f"installing {wanted} into {PEERS.name}", file=sys.stderr)
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        subprocess.run([sys.executable, "-m", "venv", "--clear", PEERS], check=True)
        subprocess.run([*pip, "--upgrade", "pip>=25.1"], check=True)
        subprocess.run([*pip, "--group", "peers"], check=True, cwd=ROOT)
        ready.write_text(wanted)
    return python
