"""Make the folders and manifests of hostile bots."""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
from dataclasses import replace
from pathlib import Path

from arena.submission.manifest import Manifest
from tests.escapes.attack import Attack
from tests.escapes.probes.common import Facts

_PROBES = Path(__file__).parent / "probes"
_CLAIM = '{{"escaped": {}, "detail": "{}"}}\n'
PROGRAM = f"""#!/usr/bin/python3
print('{_CLAIM.format("true", "a program outside its folder was run").strip()}')
"""
_PRELOAD = "preload.so"


def probe_manifest(folder: Path, probe: str) -> Manifest:
    """Make a bot that runs a probe; the facts are added later."""
    shutil.copytree(_PROBES, folder / "probes", ignore=shutil.ignore_patterns("__pycache__"))
    return Manifest("probe", ("meow",), ("python", "-m", "probes", probe), folder)


def make_bot(attack: Attack, folder: Path, facts: Facts) -> Manifest:
    """Make the bot of an attack in an empty folder."""
    manifest = probe_manifest(folder, attack.probe)
    (folder / "facts.json").write_text(json.dumps(facts._asdict()), encoding="utf-8")
    if attack.variant == "link":
        (folder / "link.txt").symlink_to(facts.home_file)
    elif attack.variant == "link by link":
        # The text of the link stays inside the folder; following it step by step leads outside.
        (folder / "a" / "b").mkdir(parents=True)
        (folder / "a" / "b" / "up").symlink_to("../..")
        secret = os.path.relpath(facts.home_file, folder.parent)
        (folder / "link.txt").symlink_to(f"a/b/up/../{secret}")
    elif attack.variant == "program in a home":
        manifest = replace(manifest, command=("tool", *manifest.command[1:]))
    elif attack.variant == "program outside":
        manifest = replace(manifest, command=("../program",))
    elif attack.variant == "preload":
        (folder / _PRELOAD).write_bytes(_library())
        manifest = replace(manifest, environment={"LD_PRELOAD": f"./{_PRELOAD}"})
    elif attack.variant == "native":
        source, library = _PROBES / "native.cpp", folder / "native.so"
        compiler = shutil.which("g++", path=os.defpath) or "g++"
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
    return manifest


def _library() -> bytes:
    """Return a shared library for x86_64 that reports at load time whether it runs as root."""
    as_user = _CLAIM.format("false", "the library was loaded by an ordinary user").encode()
    as_root = _CLAIM.format("true", "the library was loaded by root").encode()
    head, programs, dynamic = 64, 2 * 56, 6 * 16
    code_at = head + programs + dynamic
    length = 52
    as_user_at, as_root_at = code_at + length, code_at + length + len(as_user)

    def lea_rsi(goal: int, at: int) -> bytes:
        return b"\x48\x8d\x35" + struct.pack("<i", goal - (code_at + at + 7))

    code = (
        b"\xb8\x6b\x00\x00\x00\x0f\x05"  # eax = geteuid()
        + b"\x85\xc0"  # is it 0?
        + lea_rsi(as_user_at, 9)
        + (b"\xba" + struct.pack("<i", len(as_user)))
        + b"\x75\x0c"  # if not, on to write()
        + lea_rsi(as_root_at, 23)
        + (b"\xba" + struct.pack("<i", len(as_root)))
        + b"\xbf\x01\x00\x00\x00\xb8\x01\x00\x00\x00\x0f\x05"  # write(1, rsi, edx)
        + b"\xc3"
    )
    code += b"\x90" * (length - len(code))
    size = as_root_at + len(as_root)
    elf = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
    elf += struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, head, 0, 0, 64, 56, 2, 0, 0, 0)
    elf += struct.pack("<IIQQQQQQ", 1, 7, 0, 0, 0, size, size, 4096)
    elf += struct.pack("<IIQQQQQQ", 2, 6, *[head + programs] * 3, dynamic, dynamic, 8)
    # The symbol table, its names, their size, the size of a symbol, and the function to run.
    for tag, value in ((5, 0), (6, 0), (10, 1), (11, 24), (12, code_at), (0, 0)):
        elf += struct.pack("<QQ", tag, value)
    return elf + code + as_user + as_root
