"""A real browser shows a league's pages: wide and narrow, light and dark, and up to date."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.builders.leagues import league_with_byes, play_another_event
from tests.pages.open_page import PHONE, WIDE, Opener
from tests.pages.site.servers import serving
from tests.pages.site.sites import build_site, hostile_league


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the site of a league whose names are attacks."""
    folder = tmp_path_factory.mktemp("looked-at")
    build_site(hostile_league(folder), folder / "site")
    return folder / "site"


@pytest.mark.parametrize(
    ("width", "scheme"), [pytest.param(WIDE, "light", marks=pytest.mark.slow), (PHONE, "dark")]
)
def test_pages_fit_the_window_and_run_no_scripts(
    open_page: Opener, site: Path, width: int, scheme: str
) -> None:
    paths = [
        "index.html",
        *(
            f"{part}/{name.name}"
            for part in ("events", "bots", "pairs", "rules")
            for name in sorted((site / part).glob("*.html"))
        ),
    ]
    assert len(paths) == 8 + 10 + 1
    opened = open_page((site / "index.html").as_uri(), width=width, color_scheme=scheme)
    page = opened.page
    for path in paths:
        page.goto((site / path).as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert page.evaluate("window.ran") is None
        dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 22, 27)"
        assert dark == (scheme == "dark")
    assert not opened.errors


def test_a_curve_is_described_for_screen_readers(open_page: Opener, site: Path) -> None:
    page = open_page((site / "variants" / "meow-standard.html").as_uri()).page
    chart = page.get_by_role("img", name="Ratings over matches.")
    expect(chart).to_be_visible()
    assert " at the end." in chart.get_attribute("aria-label")
    assert chart.locator("polyline.line").count() == 5


def test_a_line_is_singled_out_by_the_pointer_and_kept_by_a_click(
    open_page: Opener, site: Path
) -> None:
    page = open_page((site / "variants" / "meow-standard.html").as_uri()).page
    chart = page.locator("figure.lines").first
    name = chart.locator(".legend li").nth(2)
    name.hover()
    assert chart.locator("g.on").get_attribute("data-line") == name.get_attribute("data-line")
    name.locator("button").click()
    page.mouse.move(0, 0)
    expect(chart.locator("g.on")).to_have_count(1)
    expect(name.locator("button")).to_have_attribute("aria-pressed", "true")
    name.locator("button").click()
    page.mouse.move(0, 0)
    page.keyboard.press("Tab")
    expect(name.locator("button")).to_have_attribute("aria-pressed", "false")


def test_links_lead_from_the_leaderboard_to_a_bot_and_to_its_replay(
    open_page: Opener, site: Path
) -> None:
    opened = open_page((site / "index.html").as_uri())
    page = opened.page
    page.locator("tbody th a").first.click()
    page.locator(".cards a.at").first.click()
    expect(page.locator("#forward")).to_be_enabled()
    assert not opened.errors


def test_a_served_page_updates_itself_keeps_its_scroll_position_and_ends_with_ctrl_c(
    open_page: Opener, tmp_path: Path
) -> None:
    db = league_with_byes(tmp_path)
    with serving(db) as server:
        opened = open_page(server.address, height=700)
        page = opened.page
        expect(page.locator("#events tbody tr")).to_have_count(2)
        page.evaluate("scrollTo(0, 120)")
        play_another_event(db)
        expect(page.locator("#events tbody tr")).to_have_count(3)
        page.wait_for_function("() => scrollY === 120")
        assert not opened.errors
        code, _ = server.stop()
        assert code == 0
