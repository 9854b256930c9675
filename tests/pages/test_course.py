"""A real browser shows why a match ended as it did, its course, and what search thinks of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from arena.analysis.assessment import Analysis, Assessment, Effort
from arena.games.meow import GAME
from arena.pages.replay_page import replay_page
from arena.records import How, Note
from tests.pages.axe import violations
from tests.pages.open_page import OUTSIDE, Opener
from tests.pages.replays import SHORT

CHOSEN = [
    number for number, decision in enumerate(SHORT["meow"].decisions) if decision.how is How.CHOSEN
]
WORST = CHOSEN[7]
RECORD = replace(SHORT["meow"], notes=(Note(WORST, "<b>hold</b> the fish"),))
BEST = 53


def assessed(number: int) -> Assessment:
    """Return a made-up assessment of a decision."""
    decision = RECORD.decisions[number]
    loss = 0.5 if number == WORST else 0.0
    best = BEST if loss else decision.action
    chances = (0.5, 0.25, 0.25)
    return Assessment(number, decision.seat, decision.action, best, chances, 1.7, loss, 0.1, 40)


ANALYSIS = Analysis(Effort(0.05), tuple(map(assessed, CHOSEN)))


@pytest.fixture(params=[400, pytest.param(1280, marks=pytest.mark.slow)])
def page(open_page: Opener, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Open the page of the match in a window of this width."""
    path = tmp_path / "match.html"
    path.write_text(replay_page(RECORD, analysis=ANALYSIS), encoding="utf-8")
    page_view = open_page(path.as_uri(), width=request.param, height=800)
    yield page_view.page
    assert page_view.exceptions == []


def test_the_page_leads_to_the_worst_decision_and_says_what_was_better(page: Page) -> None:
    expect(page.locator("#course svg.chart")).to_have_count(2)
    expect(page.locator("#verdict")).to_be_hidden()
    page.locator("#course .worst a").click()
    seat = RECORD.decisions[WORST].seat
    played, best = (GAME.action_text(each) for each in (RECORD.decisions[WORST].action, BEST))
    expect(page.locator("#verdict")).to_contain_text(
        f"search prefers {best}: {played} loses 0.50 places (± 0.10)"
    )
    expect(page.locator("#verdict")).to_contain_text("mistake")
    expect(page.locator("#note")).to_have_text("<b>hold</b> the fish")
    expect(page.locator("#course")).to_contain_text("1 mistake")
    other = next(each for each in range(3) if each != seat)
    page.locator(f'[data-viewpoint="{other}"]').click()
    expect(page.locator("#verdict")).to_be_hidden()
    expect(page.locator("#note")).to_be_hidden()


def test_the_end_is_explained_and_axe_finds_nothing(page: Page) -> None:
    expect(page.locator("#explanation p")).to_contain_text("A fault (crashed) puts bot-2 last.")
    expect(page.locator(".breakdown thead")).to_contain_text("taken away by fish")
    page.locator("#course .worst a").click()
    assert violations(page) == []
    assert page.evaluate(f"({OUTSIDE})()")[0] <= 0
    # Paper does not scroll.
    page.emulate_media(media="print")
    breakdown = "document.querySelector('.breakdown')"
    assert page.evaluate(f"{breakdown}.scrollWidth - {breakdown}.clientWidth") <= 0
