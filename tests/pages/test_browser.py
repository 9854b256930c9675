"""Does a real browser show a match from its first to its last move, and nothing hidden?"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from ctypes.util import find_library
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from arena.records import Record
from arena.replays.story import names_in
from tests.pages.replays import ATTACKS, SHORT, hostile, page_of

every_match = pytest.mark.parametrize("record", SHORT.values(), ids=SHORT)
WIDE, PHONE = 1280, 400
SHOWN = """() => ({
    moment: document.getElementById("moment").innerText,
    said: document.getElementById("said").innerText,
    table: document.getElementById("table").innerText,
    pictures: [...document.querySelectorAll("#table [aria-label]")].map((each) => each.ariaLabel),
    legend: document.getElementById("legend").innerText,
    scale: document.getElementById("scale").innerText,
})"""
"""All that is to be seen of a step."""
OUTSIDE = """() => [
    document.documentElement.scrollWidth - innerWidth,
    [...document.querySelectorAll("#table *, .controls *, .now *")]
        .filter((each) => each.getBoundingClientRect().right > innerWidth)
        .map((each) => each.outerHTML),
]"""
"""By how much a page is too wide, and what is too far right to be seen."""


# For one module only: as long as Playwright is there, nobody else can run an event loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start Chromium, or skip where there is none, but not in CI."""
    program = shutil.which("chromium")
    if program is None or find_library("atomic") is None:
        missing = "chromium" if program is None else "libatomic"
        sentence = f"pages are looked at with {missing}, which is not installed here"
        if os.environ.get("CI"):
            pytest.fail(sentence)
        pytest.skip(sentence)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program)
        yield chromium
        chromium.close()


class Sight:
    """A page in a browser, with what went wrong there and what it asked for."""

    def __init__(self, page: Page, path: Path) -> None:
        """Open a file and listen."""
        self.page = page
        self.errors: list[str] = []
        self.requests: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self.errors.append(message.text))
        page.on("dialog", lambda dialog: self.errors.append(dialog.message))
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(path.as_uri())

    def shown(self) -> dict[str, Any]:
        """Return what is to be seen of this step."""
        texts: dict[str, Any] = self.page.evaluate(f"({SHOWN})()")
        return texts

    def steps(self, button: str, looked_at: str = SHOWN) -> list[Any]:
        """Click on a button until it is disabled; return what is shown before and after each."""
        # All in the browser: to speak with it costs more than to draw.
        steps: list[Any] = self.page.evaluate(
            f"""(id) => {{
                const shown = {looked_at};
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
        return self.page.locator(selector).all_inner_texts()

    def step(self) -> int:
        """Return the number of the step that is shown."""
        return int(self.page.locator("#count").inner_text().split(" / ")[0])


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Any]:
    """Return what opens the page of a match; the function's options differ, hence Any."""
    contexts = []

    def open_page(record: Record, seat: int | None = None, width: int = WIDE, **how: Any) -> Sight:
        path = tmp_path / f"{seat}.html"
        path.write_text(page_of(record, seat), encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": 900}, **how)
        contexts.append(context)
        return Sight(context.new_page(), path)

    yield open_page
    for context in contexts:
        context.close()


@every_match
def test_a_match_is_stepped_through_to_the_placing_of_the_record(
    opened: Any, record: Record
) -> None:
    sight = opened(record)
    steps = sight.steps("forward")
    assert len(steps) > len(record.decisions)
    assert steps[0]["moment"] == "The deal"
    decisions = len(record.decisions)
    assert steps[-1]["moment"].startswith(f"Decision {decisions} of {decisions}")
    for before, after in pairwise(steps):
        assert before != after
    names = names_in(record)
    order = sorted(range(len(names)), key=lambda seat: (record.places[seat], seat))
    assert sight.texts("#result .place") == [str(record.places[seat]) for seat in order]
    assert sight.texts("#result .name") == [names[seat] for seat in order]
    assert sight.texts("#result .points") == [str(record.outcome.scores[seat]) for seat in order]
    for winner in (name for name, place in zip(names, record.places, strict=True) if place == 1):
        assert winner in steps[-1]["said"].splitlines()[-1]
    assert not sight.errors
    assert len(sight.requests) == 1


@every_match
def test_the_scores_at_the_table_become_those_of_the_record(opened: Any, record: Record) -> None:
    sight = opened(record)
    sight.page.keyboard.press("End")
    if record.game_id == "lifeislife":
        shown = [text.count("♥") for text in sight.texts(".lives span:not(.lost)")]
        assert sum(shown) == sum(record.outcome.scores)
        return
    numbers = [int(text.split()[-2]) for text in sight.texts(".seat .score")]
    assert numbers == list(record.outcome.scores)


@every_match
def test_going_back_shows_what_was_shown_before(opened: Any, record: Record) -> None:
    sight = opened(record)
    there = sight.steps("forward")
    assert sight.steps("back") == there[::-1]


@every_match
def test_the_eyes_of_a_seat_see_what_the_file_for_that_seat_has(
    opened: Any, record: Record
) -> None:
    everything, alone = opened(record), opened(record, 1)
    everything.page.locator("[data-eyes='1']").click()
    assert everything.steps("forward") == alone.steps("forward")
    assert everything.texts("#log, #faults, #seed") == alone.texts("#log, #faults, #seed")
    assert not everything.errors + alone.errors


def test_a_scoring_marks_the_animals_that_make_the_points(opened: Any) -> None:
    sight = opened(SHORT["lifeislife"])
    scored = 0
    for step in sight.page.locator("#log li").all():
        if not step.inner_text().startswith("The round is scored."):
            continue
        scored += 1
        step.click()
        for seat in sight.page.locator(".seat:has(.verdict)").all():
            worths = seat.locator(".scores i").all_inner_texts()
            points = int(seat.locator(".verdict").inner_text().split()[0])
            assert sum(map(int, worths)) == points
    assert scored


@pytest.mark.parametrize("name", [name for name in SHORT if SHORT[name].faults])
def test_a_fault_is_jumped_to_and_the_bots_words_are_there(opened: Any, name: str) -> None:
    record = SHORT[name]
    (fault,) = record.faults
    sight = opened(record)
    sight.page.keyboard.press("f")
    assert f"faulted ({fault.ending.value}): {fault.sentence}" in sight.shown()["said"]
    assert "chosen at random by a stand-in" in sight.shown()["moment"]
    sight.page.locator("summary", has_text="stderr").click()
    assert sight.page.locator("#faults pre").text_content() == fault.stderr.decode()
    other = (fault.seat + 1) % len(record.entrants)
    sight.page.locator(f"[data-eyes='{other}']").click()
    expect(sight.page.locator("#faults")).to_be_empty()
    expect(sight.page.locator("#fault")).to_be_hidden()


@every_match
@pytest.mark.parametrize("seat", [None, 0])
def test_hostile_names_and_words_are_text(opened: Any, record: Record, seat: int | None) -> None:
    sight = opened(hostile(record), seat)
    sight.page.keyboard.press("End")
    sight.page.keyboard.press("f")
    for summary in sight.page.locator("summary").all():
        summary.click()
    assert sight.page.evaluate("window.ran") is None
    assert not sight.errors
    assert not sight.page.locator("img, body script:not([type]) ~ script").count()
    shown = sight.page.locator("#result").inner_text()
    assert all(attack in shown for attack in ATTACKS[:2])


def test_the_policy_stops_a_script_that_somehow_got_in(opened: Any) -> None:
    sight = opened(SHORT["meow"])
    sight.page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.ran = 1";
            document.body.append(script);
        }"""
    )
    assert sight.page.evaluate("window.ran") is None
    (refused,) = sight.errors
    assert "Content Security Policy" in refused


def test_the_keyboard_alone_does_everything(opened: Any) -> None:
    sight = opened(SHORT["meow"])
    keyboard = sight.page.keyboard
    reached = set()
    for _ in range(30):
        keyboard.press("Tab")
        focus = sight.page.evaluate(
            """() => {
                const focus = document.activeElement;
                const line = getComputedStyle(focus);
                const name = focus.ariaLabel ?? focus.textContent;
                return [focus.id || focus.dataset.eyes || name, line.outlineStyle, !!name];
            }"""
        )
        name, outline, is_named = focus
        assert (outline, is_named) == ("solid", True), name
        reached.add(name)
        if name == "fault":
            break
    assert {"all", "0", "1", "2", "log", "slider", "forward", "last", "play", "speed"} <= reached
    sight.page.locator("#slider").focus()
    keyboard.press("ArrowRight")
    assert sight.step() == 1
    sight.page.locator("[data-eyes='1']").focus()
    keyboard.press("Enter")
    expect(sight.page.locator("[data-eyes='1']")).to_have_attribute("aria-pressed", "true")
    keyboard.press("ArrowRight")
    assert sight.step() == 2


def test_play_runs_to_the_end_and_pause_stops_it(opened: Any) -> None:
    sight = opened(SHORT["meow"])
    page = sight.page
    page.clock.install()
    page.locator("#play").click()
    page.clock.run_for(3_000)
    assert sight.step() == 3
    page.locator("#play").click()
    page.clock.run_for(3_000)
    assert sight.step() == 3
    page.locator("#speed").select_option("very fast")
    page.locator("#play").click()
    page.clock.run_for(60_000)
    last = int(page.locator("#slider").get_attribute("max") or 0)
    assert sight.step() == last
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")


def test_a_click_on_the_strip_shows_that_decision(opened: Any) -> None:
    sight = opened(SHORT["meow"])
    strip = sight.page.locator("#strip")
    box = strip.bounding_box()
    assert box is not None
    strip.click(position={"x": box["width"] * 0.5, "y": 10})
    middle = len(SHORT["meow"].decisions) // 2 + 1
    assert sight.shown()["moment"].startswith(f"Decision {middle} of ")


@every_match
@pytest.mark.parametrize(("width", "scheme"), [(WIDE, "light"), (PHONE, "dark")])
def test_nothing_is_wider_than_the_window(
    opened: Any, record: Record, width: int, scheme: str
) -> None:
    sight = opened(hostile(record), width=width, color_scheme=scheme)
    page = sight.page
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 22, 27)"
    assert dark == (scheme == "dark")
    for too_wide, outside in sight.steps("forward", OUTSIDE):
        assert too_wide <= 0
        assert not outside
