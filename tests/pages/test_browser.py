"""A real browser shows a match from its first to its last step, and nothing hidden."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from arena.games.lifeislife.cards import Animal
from arena.games.registry import game_named
from arena.records import How, Record
from arena.replays.transcript import player_names
from tests.pages.open_page import OUTSIDE, PHONE, WIDE, Opener, quick_matches
from tests.pages.replays import ATTACKS, SHORT, hostile


@quick_matches("meow")
def test_stepping_through_a_match_ends_with_the_recorded_result(
    open_match: Opener, record: Record
) -> None:
    page_view = open_match(record)
    steps = page_view.steps("forward")
    assert len(steps) > len(record.decisions)
    assert steps[0]["moment"] == "The deal"
    decisions = len(record.decisions)
    assert re.fullmatch(rf"{decisions - 1}[a-h]? / {decisions - 1}", steps[-1]["count"])
    for before, after in pairwise(steps):
        assert before != after
    names = player_names(record)
    order = sorted(range(len(names)), key=lambda seat: (record.places[seat], seat))
    assert page_view.texts("#result .place") == [str(record.places[seat]) for seat in order]
    assert page_view.texts("#result .name") == [names[seat] for seat in order]
    assert page_view.texts("#result .points") == [
        str(record.outcome.scores[seat]) for seat in order
    ]
    for winner in (name for name, place in zip(names, record.places, strict=True) if place == 1):
        assert winner in steps[-1]["said"].splitlines()[-1]
    assert not page_view.errors
    assert [each for each in page_view.requests if not each.startswith("data:")] == [
        page_view.page.url.partition("#")[0]
    ]
    if record.game_id == "lifeislife":
        shown = [text.count("♥") for text in page_view.texts(".lives span:not(.lost)")]
        assert sum(shown) == sum(record.outcome.scores)
        return
    scores = page_view.texts(".seat .score")
    numbers = [
        int(text) for score in scores for text in re.findall(r"(-?\d+) (?:poi|paw|trio)", score)
    ]
    assert numbers == list(record.outcome.scores)


@pytest.mark.slow
@quick_matches("jackal")
def test_going_back_shows_the_same_steps_in_reverse(open_match: Opener, record: Record) -> None:
    page_view = open_match(record)
    there = page_view.steps("forward")
    assert page_view.steps("back") == there[::-1]


@quick_matches("trio")
def test_the_view_of_a_seat_is_the_page_for_that_seat(open_match: Opener, record: Record) -> None:
    everything, one_seat = open_match(record), open_match(record, 1)
    everything.page.locator("[data-viewpoint='1']").click()
    assert everything.steps("forward") == one_seat.steps("forward")
    assert everything.texts("#log, #faults, #seed") == one_seat.texts("#log, #faults, #seed")
    assert not everything.errors + one_seat.errors


def test_a_scoring_marks_the_animals_that_make_the_points(open_match: Opener) -> None:
    page_view = open_match(SHORT["lifeislife"])
    scored = 0
    for step in page_view.page.locator("#log a", has_text="points").all():
        scored += 1
        step.click()
        for seat in page_view.page.locator(".seat:has(.verdict)").all():
            marked = seat.locator(".scores").evaluate_all("all => all.map((e) => e.dataset.piece)")
            points = int(seat.locator(".verdict").inner_text().split()[0])
            assert sum(Animal[name.upper()].worth for name in marked) == points
    assert scored


def test_a_key_jumps_to_a_fault_and_its_output_is_shown(open_match: Opener) -> None:
    record = SHORT["jackal"]
    (fault,) = record.faults
    page_view = open_match(record)
    page_view.page.keyboard.press("f")
    assert f"faulted ({fault.ending.value}): {fault.sentence}" in page_view.shown()["said"]
    assert "chosen at random by a stand-in" in page_view.shown()["why"]
    page_view.page.locator("summary", has_text="stderr").click()
    assert page_view.page.locator("#faults pre").text_content() == fault.printed.decode()
    other = (fault.seat + 1) % len(record.entrants)
    page_view.page.locator(f"[data-viewpoint='{other}']").click()
    expect(page_view.page.locator("#faults")).to_be_hidden()
    expect(page_view.page.locator("#fault")).to_be_hidden()


@quick_matches("meow")
@pytest.mark.parametrize("seat", [None, pytest.param(0, marks=pytest.mark.slow)])
def test_hostile_names_and_output_are_shown_as_text(
    open_match: Opener, record: Record, seat: int | None
) -> None:
    page_view = open_match(hostile(record), seat)
    page_view.page.keyboard.press("End")
    page_view.page.keyboard.press("f")
    for summary in page_view.page.locator("summary").all():
        summary.click()
    assert page_view.page.evaluate("window.ran") is None
    assert not page_view.errors
    assert not page_view.page.locator("img, body script:not([type]) ~ script").count()
    shown = page_view.page.locator("#result").inner_text()
    assert all(attack in shown for attack in ATTACKS[:2])


def test_what_a_bot_printed_is_shown_as_text_at_its_decision_and_to_nobody_else(
    open_match: Opener,
) -> None:
    record = hostile(SHORT["meow"])
    page_view = open_match(record)
    printed = page_view.page.locator("#printed")
    expect(printed).to_be_hidden()
    page_view.page.keyboard.press("ArrowRight")
    assert printed.text_content().startswith("\n".join(ATTACKS[:2]))
    other = (record.decisions[0].seat + 1) % len(record.entrants)
    page_view.page.locator(f"[data-viewpoint='{other}']").click()
    expect(printed).to_be_hidden()
    assert page_view.page.evaluate("window.ran") is None


def test_the_policy_stops_an_injected_script(open_match: Opener) -> None:
    page_view = open_match(SHORT["meow"])
    page_view.page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.ran = 1";
            document.body.append(script);
        }"""
    )
    assert page_view.page.evaluate("window.ran") is None
    (refused,) = page_view.errors
    assert "Content Security Policy" in refused


def test_everything_can_be_done_with_the_keyboard(open_match: Opener) -> None:
    page_view = open_match(SHORT["meow"])
    keyboard = page_view.page.keyboard
    reached = set()
    for _ in range(45):
        keyboard.press("Tab")
        focus = page_view.page.evaluate(
            """() => {
                const focus = document.activeElement;
                const line = getComputedStyle(focus);
                const name = focus.ariaLabel ?? focus.textContent;
                return [focus.id || focus.dataset.viewpoint || name, line.outlineStyle, !!name];
            }"""
        )
        name, outline, is_named = focus
        assert (outline, is_named) == ("solid", True), name
        reached.add(name)
        if name == "copy":
            break
    controls = {"slider", "forward", "last", "play", "speed", "fault", "copy"}
    assert {"all", "0", "1", "2", "log"} | controls <= reached
    page_view.page.locator("#slider").focus()
    keyboard.press("ArrowRight")
    assert page_view.step() == 1
    page_view.page.locator("[data-viewpoint='1']").focus()
    keyboard.press("Enter")
    expect(page_view.page.locator("[data-viewpoint='1']")).to_have_attribute("aria-pressed", "true")
    keyboard.press("ArrowRight")
    assert page_view.step() == 2


@pytest.mark.slow
def test_play_runs_to_the_end_and_pause_stops_it(open_match: Opener) -> None:
    page_view = open_match(SHORT["meow"])
    page = page_view.page
    page.clock.install()
    page.locator("#play").click()
    page.clock.run_for(3_000)
    assert page_view.step() == 3
    page.locator("#play").click()
    page.clock.run_for(3_000)
    assert page_view.step() == 3
    page.locator("#speed").select_option("very fast")
    page.locator("#play").click()
    page.clock.run_for(60_000)
    last = int(page.locator("#slider").get_attribute("max") or 0)
    assert page_view.step() == last
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")
    # No other test may have its clock.
    page.close()


def test_a_click_on_a_bar_behind_the_slider_shows_that_decision(open_match: Opener) -> None:
    page = open_match(SHORT["meow"]).page
    bar = page.locator("#strip rect").nth(9)
    box, track = bar.bounding_box(), page.locator(".track").bounding_box()
    assert box
    assert track
    page.mouse.click(box["x"] + box["width"] / 2, track["y"] + 5)
    chosen = [
        number
        for number, decision in enumerate(SHORT["meow"].decisions)
        if decision.how is How.CHOSEN
    ]
    expect(page.locator("#count")).to_have_text(f"{chosen[9]} / {len(SHORT['meow'].decisions) - 1}")


def hash_of(page: Page) -> str:
    """Return the end of the address; Playwright learns of a new one only a little later."""
    text: str = page.evaluate("location.hash")
    return text


def test_the_address_says_the_step_and_the_eyes_and_back_returns_from_a_jump(
    open_match: Opener,
) -> None:
    page_view = open_match(SHORT["meow"])
    page, count = page_view.page, page_view.page.locator("#count")
    last = len(SHORT["meow"].decisions) - 1
    expect(count).to_have_text(f"deal / {last}")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert hash_of(page) == "#step=1"
    page.locator("#log a", has_text="fault").click()
    fault = hash_of(page).removeprefix("#")
    page.locator("[data-viewpoint='1']").click()
    assert hash_of(page) == f"#{fault}&seat=1"
    page.keyboard.press("End")
    page.go_back()
    page.go_back()
    expect(page.locator("[data-viewpoint='all']")).to_have_attribute("aria-pressed", "true")
    assert hash_of(page) == f"#{fault}"
    page.go_back()
    expect(count).to_have_text(f"1 / {last}")
    shown = page_view.shown()
    page.goto(f"{page.url.partition('#')[0]}#step=1&seat=1")
    assert page_view.shown() != shown
    expect(count).to_have_text(f"1 / {last}")
    expect(page.locator("[data-viewpoint='1']")).to_have_attribute("aria-pressed", "true")
    assert not page_view.errors


def test_a_link_that_hides_the_result_gives_nothing_away_until_it_is_asked_for(
    open_match: Opener,
) -> None:
    record = SHORT["trio"]
    opened = open_match(record)
    page = opened.page
    told = page.title()
    page.goto(f"{page.url}#step=2&hide=result")
    page.reload()
    winner = player_names(record)[record.places.index(1)]
    assert "wins" in told
    for title in (page.title(), page.locator("h1").inner_text()):
        assert title == f"Trio: {', '.join(player_names(record))}"
    assert page.locator(".end, #course, #faults, #fault").filter(visible=True).count() == 0
    # The log ends with the step that is shown.
    expect(page.locator("#log li:visible")).to_have_count(4)
    assert f"{winner} wins" not in page.locator("body").inner_text()
    page.locator("#forward").click()
    assert page.url.endswith("#step=3&hide=result")
    page.locator("#tell").click()
    expect(page.locator(".end")).to_be_visible()
    assert (page.title(), page.locator("h1").inner_text()) == (told, told)
    assert page.url.endswith("#step=3")
    assert not opened.errors


def test_a_frame_shows_the_table_and_the_controls_and_nothing_else(open_match: Opener) -> None:
    opened = open_match(SHORT["meow"])
    page = opened.page
    page.goto(f"{page.url}#step=3&embed=1")
    page.reload()
    assert page.locator(".side, .after, #legend, #aim").filter(visible=True).count() == 0
    for part in ("#table", "#slider", "h1"):
        expect(page.locator(part)).to_be_visible()
    page.locator("#forward").click()
    assert page.url.endswith("#step=4&embed=1")
    assert not opened.errors


def test_an_address_that_the_page_does_not_have_is_ignored(open_match: Opener) -> None:
    page_view = open_match(SHORT["jackal"])
    everything = page_view.page.locator("[data-viewpoint='all']")
    for address in ("step=9999&seat=77", "step=%00&seat="):
        page_view.page.goto(f"{page_view.page.url.partition('#')[0]}#{address}")
        page_view.page.reload()
        assert page_view.step() == 0
        expect(everything).to_have_attribute("aria-pressed", "true")
        assert not page_view.errors


def test_a_button_copies_the_address_of_the_step(open_match: Opener) -> None:
    page = open_match(SHORT["meow"]).page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.keyboard.press("ArrowRight")
    page.locator("#copy").click()
    expect(page.locator("#message")).to_have_text("copied")
    assert page.evaluate("navigator.clipboard.readText()") == page.evaluate("location.href")
    assert hash_of(page) == "#step=0"


def test_keys_step_by_trick_and_round_and_back(open_match: Opener) -> None:
    page_view = open_match(SHORT["meow"])
    page, seats = page_view.page, 3
    for key, trick in [("t", 1), ("t", 2), ("ArrowRight", 2), ("Shift+T", 2), ("Shift+T", 1)]:
        page.keyboard.press(key)
        assert page.locator(".play").count() == (2 if key == "ArrowRight" else 1)
        assert hash_of(page) == f"#step={seats * trick + (key == 'ArrowRight')}"
    page.keyboard.press("r")
    assert "Round 2 is played" in page_view.shown()["said"]
    page.keyboard.press("r")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+R")
    assert "Round 3 is played" in page_view.shown()["said"]
    page.get_by_role("button", name="Previous round").click()
    assert "Round 2 is played" in page_view.shown()["said"]
    page.get_by_role("button", name="Next trick").click()
    assert hash_of(page) == f"#step={seats * 10}"


def test_the_log_is_grouped_by_round_with_marks_on_the_slider(open_match: Opener) -> None:
    page_view = open_match(SHORT["meow"])
    assert page_view.texts("#log h3") == ["ROUND 1", "ROUND 2", "ROUND 3"]
    assert page_view.page.locator("#strip .round").count() == 2
    assert page_view.page.locator("#strip .turn").count() == 3 * 8
    first = page_view.texts("#log ol >> nth=0 >> a >> nth=1")
    assert first[0].split()[:2] == ["0", str(SHORT["meow"].decisions[0].seat)]
    lines = page_view.texts("#log a")
    assert len(lines) == int(page_view.page.locator("#slider").get_attribute("max")) + 1
    assert f"bot-{SHORT['meow'].decisions[0].seat} plays " in lines[1]
    page_view.page.get_by_label("notation").check()
    assert max(map(len, page_view.texts("#log a"))) < 60


@quick_matches("jackal")
def test_each_choice_shows_the_legal_actions_and_the_clock(
    open_match: Opener, record: Record
) -> None:
    steps = open_match(record).steps(
        "forward", "() => [location.hash, document.getElementById('why').innerText]"
    )
    texts = {int(address[6:]): text for address, text in steps if address[6:].isdigit()}
    game = game_named(record.game_id)
    left_s = [60.0] * len(record.entrants)
    for number, decision in enumerate(record.decisions):
        text = texts[number]
        if decision.how is not How.CHOSEN:
            assert "legal actions" not in text
            continue
        assert f"{game.action_text(decision.action)} ✓ played" in text
        assert "legal actions" in text
        assert f"clock before: {left_s[decision.seat]:.1f} s" in text
        left_s[decision.seat] += 0.5 - decision.time_us / 1e6


def test_a_crash_shows_the_last_line_of_the_exception(open_match: Opener) -> None:
    record = SHORT["meow"]
    (fault,) = record.faults
    printed = b"Traceback (most recent call last):\n  File\nValueError: no such card\n"
    record = replace(record, faults=(replace(fault, printed=printed),))
    page_view = open_match(record)
    page_view.page.keyboard.press("f")
    for place in ("#said", "#faults"):
        assert page_view.texts(f"{place} .exception") == ["ValueError: no such card"]


@quick_matches("jackal")
@pytest.mark.parametrize(
    ("width", "scheme"), [pytest.param(WIDE, "light", marks=pytest.mark.slow), (PHONE, "dark")]
)
def test_nothing_is_wider_than_the_window(
    open_match: Opener, record: Record, width: int, scheme: str
) -> None:
    page_view = open_match(hostile(record), width=width, color_scheme=scheme)
    page = page_view.page
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 22, 27)"
    assert dark == (scheme == "dark")
    for too_wide, outside in page_view.steps("forward", OUTSIDE):
        assert too_wide <= 0
        assert not outside
