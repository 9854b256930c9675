"""The commands that pages show, and what they print.

`scripts/outputs` runs this file: it brings the outputs on the pages up to date.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
PAGES = (
    "README.md",
    "arena/docs/install.md",
    "arena/docs/first-bot.md",
    "arena/docs/events.md",
    "bots/README.md",
)
"""The pages whose commands the tests run, from the first to the last, in one folder."""
FENCED = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
GAP = "..."
"""Stands for any lines, or for the rest of a line."""


def sessions(block: str) -> list[tuple[str, str]]:
    """Return every command of a block with the output shown below it."""
    found = []
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        found.append((re.split(r"\s+#", command)[0].strip(), output))
    return found


def agrees(shown: str, printed: str) -> bool:
    """Check whether a command printed what a page shows; what follows is ignored."""
    pattern = "".join(
        ".*?" if line == GAP else re.escape(f"{line}\n").replace(re.escape(GAP), "[^\n]*")
        for line in shown.splitlines()
    )
    return re.match(pattern, printed, re.DOTALL) is not None


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of a page."""
    program, *words = shlex.split(command)
    words = words if program == "python" else ["-m", program, *words]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *words],
        input="quit\n",
        capture_output=True,
        text=True,
        env=environment,
        cwd=folder,
    )


def follow(text: str, folder: Path) -> Iterator[tuple[str, str, subprocess.CompletedProcess[str]]]:
    """Do what a page says; yield every command, the output shown, and how it ended."""
    for language, block in FENCED.findall(text):
        if language == "python":
            named = re.match(r"# (\S+\.py)\n", block)
            (folder / (named[1] if named else "first.py")).write_text(block, encoding="utf-8")
        elif language == "diff":
            subprocess.run(["git", "apply"], input=block, text=True, cwd=folder, check=True)
        elif language == "console":
            for command, shown in sessions(block):
                if command.startswith(("arena ", "python ")):
                    yield command, shown, run(command, folder)


def renewed(shown: str, printed: str) -> str:
    """Return what a page shall show: as many first and last lines as before."""
    if agrees(shown, printed):
        return shown
    parts = re.split(r"^\.\.\.\n", shown, flags=re.MULTILINE)
    lines = printed.splitlines(keepends=True)
    if len(parts) == 1:
        return printed
    first = lines[: parts[0].count("\n")]
    last = lines[len(lines) - parts[-1].count("\n") :]
    # Lines between two gaps cannot be found by their place.
    between = "".join(f"{part}{GAP}\n" for part in parts[1:-1])
    return f"{''.join(first)}{GAP}\n{between}{''.join(last)}"


def main() -> None:
    """Rewrite the outputs that have changed, and name those to look at."""
    for page in PAGES:
        path = ROOT / page
        text = path.read_text(encoding="utf-8")
        with TemporaryDirectory() as folder:
            for command, shown, done in follow(text, Path(folder)):
                new = renewed(shown, done.stdout)
                if new != shown or not agrees(new, done.stdout):
                    print(f"{page}: {command}")
                    begin = text.index(f"{shown}", text.index(f"$ {command}"))
                    text = text[:begin] + new + text[begin + len(shown) :]
                if done.returncode:
                    print(f"{page}: {command}: exit code {done.returncode}: {done.stderr}")
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
