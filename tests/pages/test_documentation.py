"""The documentation builds as a site, which needs nothing from a network."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli.docs import PAGES
from tests.pages.open_page import Opener

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow  # it takes 4 s to build; test_readme.py checks links and anchors


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site; a warning, such as a dead link, is an error."""
    pytest.importorskip("furo", reason="the site needs Sphinx and its theme, furo")
    folder = tmp_path_factory.mktemp("site")
    words = ("-q", "-W", "--keep-going", "-d", folder / "cache", "-c", "scripts/site")
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", *words, ".", folder / "html"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert (built.returncode, built.stderr) == (0, "")
    return folder / "html"


def test_the_ways_through_the_pages_lead_to_every_page(site: Path, open_page: Opener) -> None:
    opened = open_page((site / "index.html").as_uri())
    opened.page.wait_for_url("**/README.html")
    shown = opened.texts(".sidebar-tree .caption-text")
    assert [text.lower() for text in shown] == [
        "players",
        "organisers",
        "developers",
        "rules of the games",
    ]
    # The first page is the title of the sidebar.
    assert opened.page.locator(".sidebar-tree a").count() >= len(PAGES) - 1
    opened.page.click(".sidebar-tree a:text('Your first bot')")
    opened.page.wait_for_selector("h1:has-text('Your first bot')")
    assert [address for address in opened.requests if not address.startswith("file:")] == []
    assert opened.errors == []


def test_a_search_finds_a_page_without_a_network(site: Path, open_page: Opener) -> None:
    opened = open_page((site / "search.html").as_uri() + "?q=bubblewrap")
    opened.page.wait_for_selector("ul.search a:has-text('The cage')")
    assert [address for address in opened.requests if not address.startswith("file:")] == []
