"""A real browser, and the pages that are open in it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from ctypes.util import find_library
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from arena.records import Record
from tests.pages.open_page import Opener, OpenPage
from tests.pages.replays import page_of


# For this package only: while Playwright runs, no other event loop can.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Start Chromium once per process; skip if it is not installed, but fail in CI."""
    program = shutil.which("chromium")
    if program is None or find_library("atomic") is None:
        missing = "chromium" if program is None else "libatomic"
        sentence = f"browser tests need {missing}, which is not installed"
        if os.environ.get("CI"):
            pytest.fail(sentence)
        pytest.skip(sentence)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program)
        # The machine may be busy.
        expect.set_options(timeout=180_000)
        yield chromium
        chromium.close()


@pytest.fixture(scope="package")
def idle_pages() -> list[OpenPage]:
    """Return the pages that no test uses: a new one takes a third of a second of work."""
    return []


@pytest.fixture
def open_page(browser: Browser, idle_pages: list[OpenPage]) -> Iterator[Opener]:
    """Return a function that opens an address, each time in another page."""
    used: list[OpenPage] = []

    def open_at(address: str, **look: Any) -> OpenPage:
        if not idle_pages:
            context = browser.new_context()
            context.set_default_timeout(180_000)
            idle_pages.append(OpenPage(context.new_page()))
        used.append(idle_pages.pop())
        used[-1].open(address, **look)
        return used[-1]

    yield open_at
    for page in used:
        if not page.page.is_closed():
            page.forget()
            idle_pages.append(page)


@pytest.fixture
def open_match(open_page: Opener, tmp_path: Path) -> Opener:
    """Return a function that opens the page of a match, as a seat may see it."""

    def open_replay(record: Record, seat: int | None = None, **look: Any) -> OpenPage:
        path = tmp_path / f"{seat}.html"
        path.write_text(page_of(record, seat), encoding="utf-8")
        return open_page(path.as_uri(), **look)

    return open_replay
