"""axe-core finds what is wrong with a page, so a page without findings has passed a test."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.pages.axe import violations
from tests.pages.test_browser import browser

__all__ = ["browser"]

_PAGE = """<!DOCTYPE html><html lang="en"><head><title>A page</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
</head><body><main><h1>A page</h1>{}</main></body></html>"""


def test_axe_names_what_is_wrong_and_nothing_else_in_spite_of_the_policy(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content(_PAGE.format('<button>go</button><p style="color: #ddd">too pale</p>'))
    (contrast,) = violations(page)
    assert contrast.startswith("color-contrast:")
    assert "too pale" in contrast
    page.set_content(_PAGE.format("<button>go</button>"))
    assert violations(page) == []
    page.close()
