"""Make the folders and manifests of hostile bots."""

from __future__ import annotations

import json
import os
import shutil
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
    elif attack.variant in ("preload", "native"):
        source, library = _PROBES / f"{attack.variant}.cpp", folder / f"{attack.variant}.so"
        compiler = shutil.which("g++", path=os.defpath) or "g++"
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
        if attack.variant == "preload":
            manifest = replace(manifest, environment={"LD_PRELOAD": "./preload.so"})
    return manifest
