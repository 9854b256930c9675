"""Every claim of the security page names a test, and every test it names exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "arena" / "SECURITY.md", ROOT / "arena" / "serve" / "SECURITY.md"]
PAGE = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGE)))


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_the_tests_it_names_exist(file: str, name: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    assert f"def {name}(" in text if name else "def test_" in text


def test_every_claim_names_a_test() -> None:
    claims = re.findall(r"^\| .* \| checked by \|\n\|[-| ]+\|\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    rows = [row for table in claims for row in table.splitlines()]
    assert len(rows) >= 20
    assert [row for row in rows if "`tests/" not in row] == []
