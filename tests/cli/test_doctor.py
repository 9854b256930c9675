"""`arena doctor` reports what this machine can do, what is missing and how to install it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from arena.sandbox.doctor import is_open_to_all
from arena.sandbox.select import AUTO, NoCage, select_cage
from arena.wire.backend import native_backend
from tests.cli.runner import arena

SUBJECTS = [
    "Python",
    "bubblewrap",
    "user namespaces",
    "seccomp",
    "setpriv",
    "prlimit",
    "flock",
    "Landlock",
    "sealed bots",
    "pip",
    "Node",
    "SQLite",
    "codec",
    "cache folder",
    "temporary folder",
    "cores and memory",
    "gRPC",
]


@cache
def diagnosis(**variables: str) -> tuple[int, Any]:
    """Run `arena doctor` in a new process with these variables; return exit code and JSON."""
    done = subprocess.run(
        [sys.executable, "-m", "arena", "doctor", "--json"],
        capture_output=True,
        text=True,
        env={**os.environ, **variables},
    )
    assert done.returncode in (0, 1), done.stderr
    return done.returncode, json.loads(done.stdout)


def finding(document: Any, subject: str) -> Any:
    """Return what was found about a subject."""
    return next(each for each in document["findings"] if each["subject"] == subject)


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """Make a folder with only the programs that the doctor itself runs, to use as PATH."""
    folder = tmp_path / "programs"
    folder.mkdir()
    for name in ("setpriv", "prlimit", "flock", "unshare", "true"):
        path = shutil.which(name)
        if path:
            (folder / name).symlink_to(path)
    return folder


def has_full_cage() -> bool:
    """Return whether bots run in a full cage here."""
    try:
        return not select_cage(AUTO).warning
    except NoCage:
        return False


def test_there_is_one_line_for_every_cage_and_every_subject() -> None:
    result = arena("doctor")
    assert result.exit_code == (0 if has_full_cage() else 1), result.output
    *lines, sentence = result.stdout.splitlines()
    cages = [f"cage {name}" for name in ("user", "root", "landlock")]
    assert [line[:19].rstrip() for line in lines] == cages + SUBJECTS
    assert {line[19:28].rstrip() for line in lines} <= {"ok", "no", "missing", "old"}
    assert sentence.startswith("This machine can")


def test_json_is_one_document_with_all_findings() -> None:
    code, document = diagnosis()
    keys = ["full_cage", "cage", "sealed", "grpc", "sentence", "ways", "codec", "findings"]
    assert list(document) == keys
    assert document["full_cage"] is (code == 0) is has_full_cage()
    assert list(document["ways"]) == ["user", "root", "landlock"]
    works = [name for name, why_not in document["ways"].items() if why_not is None]
    assert document["cage"] == (select_cage(AUTO).name if works else None)
    assert [each["subject"] for each in document["findings"]] == SUBJECTS
    for each in document["findings"]:
        assert list(each) == ["subject", "verdict", "detail", "remedy"]
        assert each["verdict"] in ("ok", "missing", "old")
        assert each["detail"]


def test_without_bubblewrap_it_says_how_to_install_it(programs: Path) -> None:
    code, document = diagnosis(PATH=str(programs))
    assert code == 1
    assert not document["full_cage"]
    assert document["ways"]["root"] == "bwrap is not installed"
    assert finding(document, "bubblewrap") == {
        "subject": "bubblewrap",
        "verdict": "missing",
        "detail": "not installed",
        "remedy": "apt-get install bubblewrap",
    }
    assert "cannot run untrusted bots in a full cage" in document["sentence"]
    assert "apt-get install bubblewrap" in document["sentence"]


def test_a_bubblewrap_that_cannot_limit_tmp_is_old(programs: Path) -> None:
    program = programs / "bwrap"
    program.write_text("#!/bin/sh\necho bubblewrap 0.6.1\n", encoding="utf-8")
    program.chmod(0o755)
    _, document = diagnosis(PATH=str(programs))
    found = finding(document, "bubblewrap")
    assert found["verdict"] == "old"
    assert found["detail"] == f"0.6.1, {program}: needs 0.7 or newer"


@pytest.mark.skipif(not has_full_cage(), reason="only bubblewrap seals bots")
def test_it_says_whether_bots_are_sealed_and_if_not_why(tmp_path: Path) -> None:
    _, document = diagnosis()
    assert document["sealed"]
    assert re.search(
        r"files in memory: Python in /.*, \d+ MiB, filled in [\d.]+ s; the SDK in /",
        finding(document, "sealed bots")["detail"],
    )
    _, document = diagnosis(ARENA_MEMORY=str(tmp_path))
    assert not document["sealed"]
    detail = finding(document, "sealed bots")["detail"]
    assert f"({tmp_path} is not in memory): mount a tmpfs and set ARENA_MEMORY" in detail


def test_an_unusable_cache_is_reported_and_no_cage_works_without_it(tmp_path: Path) -> None:
    file = tmp_path / "cache"
    file.touch()
    code, document = diagnosis(ARENA_CACHE=str(file))
    assert (code, document["cage"]) == (1, None)
    found = finding(document, "cache folder")
    assert found["verdict"] == "missing"
    assert found["detail"].startswith(f"the cache folder {file} is not a folder")


def test_it_names_the_codec_and_the_driver_of_grpc_in_use() -> None:
    _, document = diagnosis(ARENA_CODEC="python", ARENA_GRPC="grpcio")
    assert (document["codec"], document["grpc"]) == ("python", "grpcio")
    assert finding(document, "codec")["detail"] == "in Python, as ARENA_CODEC demands"
    assert finding(document, "gRPC")["detail"] == "the referee uses grpcio, which is slower"
    _, document = diagnosis()
    native = native_backend()
    assert (document["codec"], document["grpc"]) == ("native" if native else "python", "own")
    assert finding(document, "codec")["verdict"] == ("ok" if native else "missing")
    assert finding(document, "gRPC")["detail"] == "the referee uses its own driver"


def test_a_program_below_a_private_folder_is_not_open_to_all(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.touch()
    program.chmod(0o755)
    tmp_path.chmod(0o700)
    assert not is_open_to_all(program)
    assert is_open_to_all(Path("/bin/sh").resolve())
