"""The browser of the replay tests, for the tests here."""

from __future__ import annotations

from tests.pages.test_browser import browser

__all__ = ["browser"]
