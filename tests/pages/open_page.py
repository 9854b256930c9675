"""A page of a match that is open in a browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pytest
from playwright.sync_api import Page

from tests.pages.replays import SHORT

WIDE, PHONE = 1280, 400
SHOWN = """() => ({
    moment: document.getElementById("moment").innerText,
    said: document.getElementById("said").innerText,
    table: document.getElementById("table").innerText,
    pictures: [...document.querySelectorAll("#table [aria-label]")].map((each) => each.ariaLabel),
    legend: document.getElementById("legend").innerText,
    why: document.getElementById("why").innerText,
    count: document.getElementById("count").innerText,
    scale: document.getElementById("scale").innerText,
})"""
"""Everything visible of a step."""
OUTSIDE = """() => [
    document.documentElement.scrollWidth - innerWidth,
    [...document.querySelectorAll("#table *, .controls *, .now *, #why *, .masthead *")]
        .filter((each) => each.getBoundingClientRect().right > innerWidth)
        .map((each) => each.outerHTML),
]"""
"""The excess width of a page, and the elements outside of the window."""


def quick_matches(*names: str) -> pytest.MarkDecorator:
    """Parametrise a test with every match; those of other names are slow."""
    matches = [
        pytest.param(record, marks=[] if name in names else [pytest.mark.slow])
        for name, record in SHORT.items()
    ]
    return pytest.mark.parametrize("record", matches, ids=SHORT)


class OpenPage:
    """A page in a browser, with its errors and requests."""

    def __init__(self, page: Page) -> None:
        """Listen to a page."""
        # A test fails where Playwright finds nothing; checks for None would say no more, hence Any.
        self.page: Any = page
        self.exceptions: list[str] = []
        self.logged: list[str] = []
        self.requests: list[str] = []
        page.on("pageerror", lambda error: self.exceptions.append(str(error)))
        page.on("console", lambda message: self.logged.append(message.text))
        page.on("dialog", lambda dialog: self.exceptions.append(dialog.message))
        page.on("request", lambda request: self.requests.append(request.url))

    def open(
        self,
        address: str,
        *,
        width: int = WIDE,
        height: int = 900,
        color_scheme: Literal["light", "dark"] = "light",
        forced_colors: Literal["active", "none"] = "none",
    ) -> None:
        """Open an address in a window that looks like this."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(
            media="screen", color_scheme=color_scheme, forced_colors=forced_colors
        )
        self.page.goto(address)

    def forget(self) -> None:
        """Leave the page as if nothing had been opened."""
        self.page.evaluate("sessionStorage.clear()")
        self.page.unroute_all()
        self.page.goto("about:blank")
        for messages in (self.exceptions, self.logged, self.requests):
            messages.clear()

    @property
    def errors(self) -> list[str]:
        """Everything that the page complained about."""
        return self.exceptions + self.logged

    def shown(self) -> dict[str, Any]:
        """Return what is visible of this step."""
        texts: dict[str, Any] = self.page.evaluate(f"({SHOWN})()")
        return texts

    def steps(self, button: str, script: str = SHOWN) -> list[Any]:
        """Click on a button until it is disabled; return what is shown before and after each."""
        # All in the browser: a round trip costs more than a drawing.
        steps: list[Any] = self.page.evaluate(
            f"""(id) => {{
                const shown = {script};
                const button = document.getElementById(id);
                const steps = [shown()];
                while (!button.disabled) {{
                    button.click();
                    steps.push(shown());
                }}
                return steps;
            }}""",
            button,
        )
        return steps

    def texts(self, selector: str) -> list[str]:
        """Return the texts of some elements."""
        texts: list[str] = self.page.locator(selector).all_inner_texts()
        return texts

    def step(self) -> int:
        """Return the number of the step that is shown."""
        return int(self.page.locator("#slider").input_value())


Opener = Callable[..., OpenPage]
"""Opens a page; the arguments after the first say how it looks, as those of OpenPage.open do."""
