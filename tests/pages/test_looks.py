"""A match can be read at every size, without colours, on paper, and by a screen reader."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import Browser

from arena.games.registry import game_named
from arena.records import Record
from tests.builders.records import recorded_match, setting_of
from tests.pages.axe import violations
from tests.pages.open_page import Opener, quick_matches
from tests.pages.replays import SHORT

IN_VIEW = """(selector) => {
    const end = document.querySelector(".controls").getBoundingClientRect().top;
    return [...document.querySelectorAll(selector)].map((each) => {
        const { top, bottom } = each.getBoundingClientRect();
        return top >= 0 && bottom <= end;
    });
}"""
"""Which elements are in the window and not behind the controls."""


def five_player_jackal() -> Record:
    """Play a match with many seats, cards and dice."""
    setting = setting_of("jackal", 5)
    parameters = game_named("jackal").parameters_form.read("round_cap=8")
    return recorded_match(replace(setting, parameters=parameters), 7)


@pytest.mark.slow
def test_all_seats_of_five_player_jackal_fit_into_the_window(open_match: Opener) -> None:
    page_view = open_match(five_player_jackal(), height=800)
    in_view = f'() => [({IN_VIEW})(".seat"), ({IN_VIEW})(".zone, #log")]'
    for seats, others in page_view.steps("forward", in_view):
        assert seats == [True] * 5
        assert others == [True] * 2
    controls = page_view.page.locator(".controls").bounding_box()
    assert controls["height"] < 50


@quick_matches("jackal", "meow")
@pytest.mark.parametrize(
    ("width", "height"),
    [(400, 800), pytest.param(640, 400, marks=pytest.mark.slow)],
    ids=["phone", "200 %"],
)
def test_pieces_in_play_are_visible_in_a_small_window(
    open_match: Opener, record: Record, width: int, height: int
) -> None:
    page = open_match(record, width=width, height=height).page
    pieces = "#table .piece"
    assert any(page.evaluate(IN_VIEW, pieces))
    if page.locator(".zone").count():
        assert page.evaluate(IN_VIEW, pieces)[0]
        zone, seat = page.locator(".zone").first, page.locator(".seat").first
        assert zone.bounding_box()["y"] < seat.bounding_box()["y"]
    log, faults = (page.locator(each).bounding_box() for each in ("#log", "#faults"))
    assert not faults or log["y"] < faults["y"]


@quick_matches("jackal")
@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_axe_finds_nothing(open_match: Opener, record: Record, scheme: str) -> None:
    page = open_match(record, color_scheme=scheme, width=1280 if scheme == "light" else 400).page
    for key in ("f" if record.faults else "ArrowRight", "End"):
        page.keyboard.press(key)
        page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
        assert violations(page) == []


def test_dice_on_a_stack_follow_the_number_of_their_seat(open_match: Opener) -> None:
    page_view = open_match(SHORT["jackal"])
    page_view.page.keyboard.press("ArrowRight")
    groups = page_view.page.locator(".stack .dice").all()
    assert groups
    for group in groups:
        seat = group.locator(".chip").inner_text()
        labels = group.locator(".die .piece").evaluate_all("all => all.map((die) => die.ariaLabel)")
        assert labels
        assert all(label.endswith(f"of seat {seat}") for label in labels)
    labels = page_view.shown()["pictures"]
    assert any(label.endswith("of seat 0") for label in labels)


def test_every_card_of_meow_has_the_letter_of_its_suit(open_match: Opener) -> None:
    page = open_match(SHORT["meow"]).page
    cards = page.locator(".seat .hand .piece").all()
    assert cards
    for card in cards:
        name, label = (card.get_attribute(each) for each in ("data-piece", "aria-label"))
        assert label.startswith({"P": "pink", "B": "blue", "G": "green"}[name[0]])
        drawn = page.locator(f"#piece-{name} text").all_text_contents()
        assert set(drawn) == {name[0], name[1:]}


def test_every_piece_is_drawn_and_says_what_it_does(open_match: Opener) -> None:
    for name in ("jackal", "lifeislife", "meow", "trio"):
        page = open_match(SHORT[name]).page
        missing = page.evaluate(
            """() => [...document.querySelectorAll("#table .piece use")]
                .map((use) => use.getAttribute("href"))
                .filter((href) => !document.querySelector(`#${CSS.escape(href.slice(1))}`))"""
        )
        assert missing == []
        tips = page.locator("#table .piece").evaluate_all("all => all.map((each) => each.title)")
        assert any(": " in tip for tip in tips)


def test_partners_have_one_colour_and_one_mark(open_match: Opener) -> None:
    page = open_match(SHORT["trio in teams"]).page
    looks = page.evaluate(
        """() => [...document.querySelectorAll(".seat")].map((seat) => [
            getComputedStyle(seat).borderLeftColor,
            seat.querySelector(".chip").textContent.slice(1),
            seat.querySelector(".score").innerText.split(" · ")[0],
        ])"""
    )
    assert looks[0] == looks[2]
    assert looks[1] == looks[3]
    assert not set(looks[0]) & set(looks[1])
    assert looks[0][1:] == ["▲", "team 0 ▲"]


@quick_matches("jackal", "meow")
def test_edges_remain_where_colours_are_forced(open_match: Opener, record: Record) -> None:
    page = open_match(record, forced_colors="active").page
    page.keyboard.press("ArrowRight")
    edges = page.evaluate(
        """() => [...document.querySelectorAll(".seat .chip")].map((each) => {
            const { borderTopStyle, borderTopWidth, clipPath } = getComputedStyle(each);
            return borderTopStyle !== "none" && parseFloat(borderTopWidth) > 0 && clipPath;
        })"""
    )
    assert set(edges) == {"none"}
    acted = page.locator(".seat.acted")
    assert acted.evaluate("(seat) => getComputedStyle(seat).outlineStyle") == "solid"


@quick_matches("jackal")
def test_the_whole_log_and_no_control_is_printed(open_match: Opener, record: Record) -> None:
    page = open_match(record, color_scheme="dark").page
    page.emulate_media(media="print")
    for hidden in (".controls", "#viewpoint", ".keys"):
        assert not page.locator(hidden).is_visible()
    log = page.locator("#log")
    assert log.evaluate("(log) => log.scrollHeight <= log.clientHeight")
    assert page.locator(".seat").first.is_visible()
    assert page.locator("#result").is_visible()
    ink, paper = page.evaluate(
        """() => {
            const { color, backgroundColor } = getComputedStyle(document.body);
            return [color, backgroundColor];
        }"""
    )
    assert (ink, paper) == ("rgb(28, 35, 43)", "rgba(0, 0, 0, 0)")


PAGE = """<!DOCTYPE html><html lang="en"><head><title>A page</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
</head><body><main><h1>A page</h1>{}</main></body></html>"""


def test_axe_names_what_is_wrong_and_nothing_else_in_spite_of_the_policy(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content(PAGE.format('<button>go</button><p style="color: #ddd">too pale</p>'))
    (contrast,) = violations(page)
    assert contrast.startswith("color-contrast:")
    assert "too pale" in contrast
    page.set_content(PAGE.format("<button>go</button>"))
    assert violations(page) == []
    page.close()
