"""The command `arena report`."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.pages.site.folder import LISTING
from tests.builders.leagues import league_with_byes


def report(db: Path, *words: object) -> Result:
    """Run the command as a user would type it."""
    return CliRunner().invoke(main, ["report", *map(str, words), "--db", str(db)])


def test_a_site_is_written_and_counted(tmp_path: Path) -> None:
    db, site = league_with_byes(tmp_path), tmp_path / "site"
    first = report(db, site, "--quiet")
    pages = len([path for path in site.rglob("*.*") if path.name != LISTING])
    replays = len(list((site / "replays").rglob("*.html")))
    summary = f"{site}/index.html: {pages} pages, {replays} of them replays; "
    assert first.exit_code == 0
    assert first.stdout == f"{summary}{pages} written, 0 removed\n"
    assert report(db, site).stdout == f"{summary}0 written, 0 removed\n"
    assert "written" in report(db, site, "--replays", "all").stdout
    assert len(list((site / "replays").rglob("*.html"))) == replays


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "missing argument DIR"),
        (("{folder}",), "is not empty and has no arena-report.json"),
        (("{folder}/arena.db",), "is a file"),
        (("{folder}/site", "--replays", "some"), "'some' is neither a number"),
        (("{folder}/site", "--replays", "-1"), "'-1' is neither a number"),
        (("{folder}/site", "--port", "70000"), "--port"),
        (("{folder}/site", "--url", "league.example"), "does not begin with https://"),
        (("{folder}/site", "--serve"), "--serve writes no pages"),
    ],
)
def test_a_usage_error_in_report_exits_with_2_and_a_message(
    words: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    db = league_with_byes(tmp_path)
    result = report(db, *(word.format(folder=tmp_path) for word in words))
    assert result.exit_code == 2
    assert message in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["arena.db"]


def test_a_missing_league_is_not_created(tmp_path: Path) -> None:
    result = report(tmp_path / "none.db", tmp_path / "site")
    assert result.exit_code == 2
    assert not list(tmp_path.iterdir())


def run_on_terminal(*words: str) -> str:
    """Run the command with stderr on a terminal; return what it shows."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "arena", "report", *words]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        try:
            while data := os.read(ours, 4096):
                shown += data
        except OSError:
            # Reading from a terminal fails once no process has it open.
            pass
        os.close(ours)
    assert process.returncode == 0
    return shown.decode()


def test_a_terminal_has_a_progress_bar_that_is_removed_at_the_end(tmp_path: Path) -> None:
    db = str(league_with_byes(tmp_path))
    shown = run_on_terminal(str(tmp_path / "site"), "--db", db)
    bars = re.findall(r"\r\x1b\[[JK]([^\r]*)", shown)
    assert re.fullmatch(r"[█░]{20} 1/\d+ pages", re.sub(r"\x1b\[\d+m", "", bars[0]))
    assert bars[-1] == ""
    assert run_on_terminal(str(tmp_path / "site"), "--db", db, "-q") == ""
