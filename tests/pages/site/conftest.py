"""Tests here may use the browser of the tests of replays."""

from __future__ import annotations

from tests.pages.test_browser import browser

__all__ = ["browser"]
