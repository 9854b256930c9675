"""A league that is served, in a browser: from an invitation to the board."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

pytest.importorskip("fastapi", reason="the extra `serve` is not installed")

from leaderboard.authors import invite
from leaderboard.store import Store
from tests.builders.leagues import NOON
from tests.pages.axe import violations
from tests.serve.in_process import bot_files, zip_of
from tests.serve.processes import ServedLeague, serving, write_bot


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedLeague]:
    """Serve a league in which two bots play MEOW."""
    tables = ('clock = "cpu:5+0.05"', 'clock = "cpu:5+0.05"\nseats = 2')
    with serving(tmp_path_factory.mktemp("served"), tables) as served:
        yield served


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Open a page whose scripts make no errors."""
    context = browser.new_context()
    context.set_default_timeout(120_000)
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on(
        "console",
        lambda message: errors.append(message.text) if "Content Security" in message.text else None,
    )
    yield opened
    context.close()
    assert errors == []


def join(league: ServedLeague, page: Page, name: str) -> None:
    """Become an author through an invitation."""
    with Store.open(league.db) as store, store.writing_bots() as writer:
        code = invite(writer, now=NOON, days=10_000)
    page.goto(f"{league.address}/join/{code}")
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Join").click()
    expect(page.locator("#token")).to_have_text(re.compile(r"arena_\d+_[\w-]{43}"))
    page.get_by_role("link", name="submit in the browser").click()


def test_from_an_invitation_to_the_board(league: ServedLeague, page: Page, tmp_path: Path) -> None:
    join(league, page, "Ada")
    path = tmp_path / "kitten.zip"
    path.write_bytes(zip_of(bot_files("kitten")))
    page.locator("#zip").set_input_files(path)
    page.get_by_role("button", name="Submit").click()
    expect(page.locator("#submission")).to_contain_text(
        "accepted: it plays as kitten@1", timeout=120_000
    )
    expect(page.locator("#submission")).to_contain_text("64 tables at once: ok")
    page.goto(league.address)
    # The board changes in place when there are new results.
    row = page.locator("tr", has_text="kitten")
    expect(row).to_contain_text("Ada", timeout=120_000)
    expect(page.locator("#now")).to_contain_text("season-1-meow: round")


def test_a_folder_is_submitted_with_its_paths(
    league: ServedLeague, page: Page, tmp_path: Path
) -> None:
    join(league, page, "Bob")
    page.locator("#folder").set_input_files(write_bot(tmp_path, "mouse"))
    page.get_by_role("button", name="Submit").click()
    expect(page).to_have_url(re.compile(r"/submissions/\d+$"))
    expect(page.get_by_role("heading")).to_have_text("Submission of mouse")


def test_the_live_page_plays_the_newest_match(league: ServedLeague, page: Page) -> None:
    page.goto(f"{league.address}/live")
    expect(page.locator("#results tbody tr").first).to_be_visible(timeout=120_000)
    match = page.frame_locator("#tv").frame_locator("#match")
    # It plays by itself.
    expect(match.get_by_role("button", name="Pause")).to_be_visible(timeout=120_000)
    page.get_by_role("link", name="Statistics").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Our league")


@pytest.mark.parametrize("path", ["/", "/login", "/live"])
def test_its_pages_are_for_everyone(league: ServedLeague, page: Page, path: str) -> None:
    page.goto(league.address + path)
    assert violations(page) == []
