"""Pages of a site can be read by everyone: with and without colours, scripts, a screen or sight."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.builders.leagues import league_with_byes
from tests.pages.axe import violations
from tests.pages.open_page import PHONE, WIDE, Opener
from tests.pages.site.sites import build_site
from tests.pages.site.test_build import made_up_league

BOTS_ON_PAGE = 5


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the address of a page of each kind."""
    folder = tmp_path_factory.mktemp("kinds")
    build_site(league_with_byes(folder), folder / "site")
    long = folder / "long"
    long.mkdir()
    made_up_league(long / "arena.db", pairings=70)
    build_site(long / "arena.db", long / "site")
    paths = {
        "league": folder / "site/index.html",
        "variant": folder / "site/variants/meow-standard.html",
        "event": folder / "site/events/cup.html",
        "bot": folder / "site/bots/cat.html",
        "pair": folder / "site/pairs/ann--ben.html",
        "rules": folder / "site/rules/meow.html",
        "missing": folder / "site/404.html",
        "matches": long / "site/events/spring/2.html",
    }
    return {kind: path.as_uri() for kind, path in paths.items()}


@pytest.fixture(scope="module")
def long_list(kinds: dict[str, str]) -> str:
    """Return the address of a page with 250 matches."""
    return kinds["matches"].replace("2.html", "1.html")


def test_axe_finds_nothing_on_the_page_of_a_variant(
    open_page: Opener, kinds: dict[str, str]
) -> None:
    assert violations(open_page(kinds["variant"]).page) == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_any_kind_of_page(
    open_page: Opener, kinds: dict[str, str], scheme: Any
) -> None:
    width = WIDE if scheme == "light" else PHONE
    page = open_page(kinds["league"], width=width, color_scheme=scheme).page
    for kind, address in kinds.items():
        page.goto(address)
        assert violations(page) == [], kind
        assert page.evaluate("document.documentElement.scrollWidth") <= width, kind


def column(page: Page, table: str, number: int) -> list[str]:
    """Return the texts of the visible cells of a column."""
    cells = page.locator(f"{table} tbody tr:visible > :nth-child({number})")
    return cells.all_inner_texts()


def test_a_table_is_sorted_by_a_click_on_a_heading_and_back(
    open_page: Opener, kinds: dict[str, str]
) -> None:
    page = open_page(kinds["variant"]).page
    ranks = column(page, "#standings", 1)
    assert ranks == ["1", "2", "3", "4", "5"]
    heading = page.locator("#standings th", has_text="bot")
    heading.get_by_role("button").click()
    assert column(page, "#standings", 2) == sorted(column(page, "#standings", 2))
    expect(heading).to_have_attribute("aria-sort", "ascending")
    page.get_by_role("button", name="wins", exact=True).click()
    wins = [int(text) for text in column(page, "#standings", 12)]
    assert wins == sorted(wins, reverse=True)
    page.reload()
    assert [int(text) for text in column(page, "#standings", 12)] == wins


def test_a_long_table_is_searched(open_page: Opener, long_list: str) -> None:
    page = open_page(long_list).page
    rows = page.locator("tbody tr:visible")
    status = page.get_by_role("status")
    expect(rows).to_have_count(250)
    page.get_by_label("Search").fill("match 249")
    expect(rows).to_have_count(1)
    expect(status).to_have_text("1 of 250")
    page.get_by_label("Search").fill("")
    expect(rows).to_have_count(250)


def test_movement_can_be_shown_since_an_earlier_event(
    open_page: Opener, kinds: dict[str, str]
) -> None:
    page = open_page(kinds["variant"]).page
    moved = page.locator("#ratings td[data-digits='2']")
    since_open = moved.all_inner_texts()
    page.get_by_label("Movement since").select_option(index=1)
    # Before the first event, nobody had a rating.
    assert set(moved.all_inner_texts()) == {"new"}
    page.get_by_label("Movement since").select_option(index=0)
    assert moved.all_inner_texts() == since_open


def test_without_scripts_tables_are_complete_and_lines_named(
    browser: Browser, kinds: dict[str, str], long_list: str
) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.set_default_timeout(60_000)
    page.goto(long_list)
    expect(page.locator("tbody tr:visible")).to_have_count(250)
    expect(page.locator("button, input")).to_have_count(0)
    page.goto(kinds["variant"])
    expect(page.locator("figure.lines .legend li:visible")).to_have_count(BOTS_ON_PAGE)
    expect(page.locator("#ratings td", has_text="↑").first).to_be_visible()
    page.close()


def test_on_paper_every_row_is_printed_and_no_control(open_page: Opener, long_list: str) -> None:
    page = open_page(long_list, color_scheme="dark").page
    page.emulate_media(media="print")
    expect(page.locator("tbody tr:visible")).to_have_count(250)
    expect(page.locator(".tools:visible, nav:visible")).to_have_count(0)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_in_forced_colours_every_share_and_every_curve_is_visible(
    open_page: Opener, kinds: dict[str, str]
) -> None:
    page = open_page(kinds["variant"], forced_colors="active").page
    shares = page.locator(".cross td[title]")
    assert all(text.isdigit() for text in shares.all_inner_texts())
    canvas = page.evaluate("getComputedStyle(document.body).backgroundColor")
    for selector, name in (
        (".lines .area .line", "stroke"),
        (".cross td[title]", "borderTopColor"),
    ):
        colours = page.evaluate(
            "([selector, name]) => [...document.querySelectorAll(selector)]"
            ".map((each) => getComputedStyle(each)[name])",
            [selector, name],
        )
        assert colours
        assert canvas not in colours


def test_a_column_of_the_crosstable_is_named_for_screen_readers(
    open_page: Opener, kinds: dict[str, str]
) -> None:
    page = open_page(kinds["event"]).page
    table = page.get_by_role("region", name="Crosstable")
    names = {f"{name}@1" for name in ("ann", "ben", "cat", "dan", "eve")}
    assert {text.split()[-1] for text in table.locator("thead th").all_text_contents()[1:]} == {
        f"{number}{name}"
        for number, name in enumerate(
            (row.split("\n")[0] for row in table.locator("tbody th").all_inner_texts()), start=1
        )
    }
    assert set(table.locator("tbody th").all_inner_texts()) == names
