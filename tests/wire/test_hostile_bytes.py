"""No bytes make the codec in C touch memory that is not its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "arena" / "wire" / "native").glob("*.c"))
HEADERS = Path(sysconfig.get_path("include"))
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
WARNINGS = ("-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers")
# CPython's own way to store functions of several types.
ACCEPTED = ("-Wno-cast-function-type",)


@pytest.fixture
def gcc() -> str:
    """Return the compiler."""
    found = shutil.which("gcc")
    if found is None:
        pytest.skip("gcc is not installed")
    if not (HEADERS / "Python.h").exists():
        pytest.skip("the headers of Python are not installed")
    return found


def compile_codec(gcc: str, target: Path, *options: str) -> None:
    """Compile the codec with these options; warnings are errors."""
    command = [gcc, "-shared", "-fPIC", f"-I{HEADERS}", *WARNINGS, *ACCEPTED, *options]
    done = subprocess.run(
        [*command, *map(str, SOURCES), "-o", str(target)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_the_codec_compiles_without_warnings(gcc: str, tmp_path: Path) -> None:
    compile_codec(gcc, tmp_path / "codec.so", "-O2")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_damaged_messages_cause_no_wrong_access_to_memory(
    gcc: str, seed: int, tmp_path: Path
) -> None:
    compile_codec(gcc, tmp_path / "codec.so", "-g", "-O1", *SANITIZERS)
    asked = subprocess.run([gcc, "-print-file-name=libasan.so"], capture_output=True, text=True)
    runtime = Path(asked.stdout.strip())
    if not runtime.is_absolute():
        pytest.skip("gcc has no AddressSanitizer")
    environment = {
        **os.environ,
        "LD_PRELOAD": str(runtime.resolve()),
        # Python never frees some of its memory.
        "ASAN_OPTIONS": "detect_leaks=0",
        # So that every object is a separate allocation.
        "PYTHONMALLOC": "malloc",
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.wire.feed", str(tmp_path / "codec.so"), str(seed)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    count, _ = done.stdout.split()
    assert int(count) > 10_000
