"""`arena report --serve`, started as a user would."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Serving:
    """The command while it runs."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        """Wait until it prints its address."""
        self._process = process
        assert process.stdout
        line = process.stdout.readline()
        assert line.endswith("(stop with Ctrl-C)\n"), line or process.communicate()
        self.address = line.split()[0]

    def stop(self) -> tuple[int, str]:
        """Press Ctrl-C; return the exit code and stderr."""
        self._process.send_signal(signal.SIGINT)
        _, stderr = self._process.communicate(timeout=60)
        return self._process.returncode, stderr


@contextmanager
def serving(db: Path, *words: str) -> Iterator[Serving]:
    """Run `arena report --serve`; kill it when the context ends."""
    command = [sys.executable, "-m", "arena", "report", *words, "--serve", "--port", "0"]
    with subprocess.Popen(
        [*command, "--db", str(db)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Serving(process)
        finally:
            process.kill()
