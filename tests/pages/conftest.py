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
from tests.pages.open_page import WIDE, OpenPage
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
        expect.set_options(timeout=60_000)
        yield chromium
        chromium.close()


@pytest.fixture
def open_match(browser: Browser, tmp_path: Path) -> Iterator[Any]:
    """Return a function that opens the page of a match; its options differ, hence Any."""
    contexts = []

    def open_page(
        record: Record,
        seat: int | None = None,
        width: int = WIDE,
        height: int = 900,
        address: str = "",
        **options: Any,
    ) -> OpenPage:
        path = tmp_path / f"{seat}.html"
        path.write_text(page_of(record, seat), encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(60_000)
        contexts.append(context)
        return OpenPage(context.new_page(), path, address)

    yield open_page
    for context in contexts:
        context.close()
