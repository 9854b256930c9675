"""Test an open page with axe-core, for readers who do not see it as most do."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def violations(page: Page) -> list[str]:
    """Return what every rule of axe-core finds on a page as it is shown now, one line each."""
    found = Axe().run(page).response["violations"]
    return [
        f"{rule['id']}: {rule['help']}: {node['html']} ({node['failureSummary']})"
        for rule in found
        for node in rule["nodes"]
    ]
