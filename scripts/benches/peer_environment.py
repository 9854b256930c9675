"""The virtual environment of the libraries that we are compared with."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PEERS = ROOT / ".venv-peers"


def peers_python() -> Path:
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
