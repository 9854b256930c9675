"""A served report, as a user would start it."""

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
        """Wait until it says where it is."""
        self._process = process
        assert process.stdout
        line = process.stdout.readline()
        assert line.endswith("(stop with Ctrl-C)\n"), line or process.communicate()
        self.address = line.split()[0]

    def stop(self) -> tuple[int, str]:
        """Press Ctrl-C; return the exit code and what was complained of."""
        self._process.send_signal(signal.SIGINT)
        _, complaints = self._process.communicate(timeout=60)
        return self._process.returncode, complaints


@contextmanager
def serving(db: Path, *words: str) -> Iterator[Serving]:
    """Run `arena report --serve` until the end of the block at the latest."""
    command = [sys.executable, "-m", "arena", "report", *words, "--serve", "--port", "0"]
    with subprocess.Popen(
        [*command, "--db", str(db)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Serving(process)
        finally:
            process.kill()
