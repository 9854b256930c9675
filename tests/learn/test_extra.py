"""Without the extra `learn`, its modules say what to install, and nothing else needs it."""

from __future__ import annotations

import subprocess
import sys

import pytest

WITHOUT = """
import sys
for name in ("numpy", "gymnasium", "pettingzoo", "pyspiel"):
    sys.modules[name] = None
import arena.cli, arena.sdk, arena.games.meow.tensor
try:
    import arena.learn.{module}
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("module", "package"),
    [
        ("vector", "numpy"),
        ("gym", "gymnasium"),
        ("pettingzoo", "pettingzoo"),
        ("openspiel", "pyspiel"),
    ],
)
def test_a_missing_package_is_named_with_what_to_install(module: str, package: str) -> None:
    program = WITHOUT.format(module=module)
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert found.stderr == ""
    assert found.stdout == (
        f"arena.learn.{module} needs {package}, which is not installed: "
        "pip install 'arena-league[learn]'\n"
    )
