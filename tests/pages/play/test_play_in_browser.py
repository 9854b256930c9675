"""In a real browser, people play matches of every game to their end."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from arena.games.registry import game_named
from arena.indices import Seat
from arena.pages.play.seats import BrowserTable
from arena.pages.play.server import serve_table
from arena.records import How, SeatEnding
from arena.referee.clock import Clock
from arena.replays.format import read_replay
from arena.replays.verify import verify
from tests.pages.axe import violations
from tests.pages.open_page import Opener, OpenPage
from tests.pages.play.tables import SHORT, ServedTable, decide, served_table, short_setting

PLAY = """async (most) => {
    let seed = 7;
    const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    const byId = (id) => document.getElementById(id);
    const buttons = () => [...document.querySelectorAll("#choices button, #table .playable")];
    const isAsked = () => !byId("move").hidden && !buttons().some((each) => each.ariaDisabled);
    const wait = () => new Promise((resolve) => setTimeout(resolve, 10));
    for (let moves = 0; ; moves += 1) {
        while (byId("outcome").hidden && !isAsked()) await wait();
        if (!byId("outcome").hidden || moves === most) return moves;
        while (isAsked()) {
            const ready = byId("choices").querySelector(".main:not(:disabled)");
            const others = buttons().filter((each) => !each.classList.contains("main"));
            const other = others[Math.floor(random() * others.length)];
            (ready && random() < 0.6 ? ready : other).click();
        }
    }
}"""
"""Clicks on random buttons until the match is over or the number of moves has been made."""
OUTSIDE = """() => [
    document.documentElement.scrollWidth - innerWidth,
    [...document.querySelectorAll("body *")]
        .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
        .map((each) => each.outerHTML),
]"""
"""The excess width of a page, and the elements outside of the window."""
SeatOpener = Callable[..., Page]


@pytest.fixture
def open_seat(open_page: Opener) -> Iterator[SeatOpener]:
    """Return a function that opens an address as a new person."""
    opened: list[OpenPage] = []

    def open_as_person(address: str, **look: Any) -> Page:
        opened.append(open_page(address, height=850, **look))
        page: Page = opened[-1].page
        page.select_option("#pace", "0")
        return page

    yield open_as_person
    assert [page.exceptions for page in opened if page.exceptions] == []


def check_result(page: Page, served: ServedTable) -> None:
    """Check that a page shows the result of the match, and what to do after it."""
    (record,) = served.records
    expect(page.locator("#moment")).to_contain_text(re.compile("the match|The match"))
    order = sorted(range(len(record.places)), key=lambda seat: (record.places[seat], seat))
    assert page.locator("#result .place").all_inner_texts() == [
        str(record.places[seat]) for seat in order
    ]
    assert page.locator("#result .points").all_inner_texts() == [
        str(record.outcome.scores[seat]) for seat in order
    ]
    for words in ("here.replay", "arena play", "See the whole match"):
        expect(page.locator("#afterwards")).to_contain_text(words)


LOOKS = [(1280, "light"), (400, "dark"), (400, "light"), (1280, "dark"), (400, "light")]


# Other tests here play the matches that are slow, to their end or nearly so.
@pytest.mark.parametrize(
    ("name", "look"),
    [
        pytest.param(
            name, look, marks=[pytest.mark.slow] if name not in ("jackal", "lifeislife") else []
        )
        for name, look in zip(SHORT, LOOKS, strict=True)
    ],
    ids=list(SHORT),
)
def test_a_person_plays_a_match_to_its_end_by_clicking(
    open_seat: SeatOpener, name: str, look: tuple[int, str]
) -> None:
    width, scheme = look
    with served_table(short_setting(name), [0], seed=4) as served:
        page = open_seat(served.addresses[0], width=width, color_scheme=scheme)
        assert page.evaluate(PLAY, 2) == 2
        if name != "lifeislife":
            assert violations(page) == []
        assert page.evaluate(OUTSIDE) == [0, []]
        assert page.evaluate(PLAY, -1) > 0
        check_result(page, served)
        if name in ("meow", "jackal"):
            assert violations(page) == []
        assert page.evaluate(OUTSIDE) == [0, []]
        decisions = served.records[0].decisions
        assert len([d for d in decisions if d.seat == 0 and d.how is How.CHOSEN]) > 2


def test_two_people_at_one_table_play_a_match_each_with_their_own_cards(
    open_seat: SeatOpener,
) -> None:
    with served_table(short_setting("trio"), [0, 2], seed=2) as served:
        pages = {seat: open_seat(address) for seat, address in served.addresses.items()}
        for seat, page in pages.items():
            expect(page.locator("#you")).to_contain_text(f"human-{seat}")
            for other in range(3):
                backs = page.locator(".seat").nth(other).locator("[data-piece=back]")
                expect(backs).to_have_count(0 if other == seat else 9)
        for page in pages.values():
            page.evaluate(f"() => {{ ({PLAY})(-1); }}")
        for page in pages.values():
            expect(page.locator("#outcome")).to_be_visible()
            check_result(page, served)


def test_a_reload_and_a_second_tab_show_the_same_and_a_stale_move_gets_a_sentence(
    open_seat: SeatOpener,
) -> None:
    with served_table(short_setting("meow"), [0], seed=3) as served:
        address = served.addresses[0]
        page = open_seat(address)
        page.evaluate(PLAY, 2)
        before = page.locator(".felt").inner_text(), page.locator("#log").inner_text()
        page.reload()
        expect(page.locator("#move")).to_be_visible()
        assert before == (page.locator(".felt").inner_text(), page.locator("#log").inner_text())
        other = page.context.new_page()
        # It hears of the present state and of nothing new, which would take the refusal away.
        other.route("**/updates*", lambda route: None)
        other.route("**/updates*", lambda route: route.continue_(), times=1)
        other.goto(address)
        expect(other.locator("#move")).to_be_visible()
        assert other.locator(".felt").inner_text() == before[0]

        def decide_first(route: Route) -> None:
            """Let the same decision from elsewhere arrive before this one."""
            decision: Any = route.request.post_data_json
            assert decide(address, decision["turn"], decision["action"]).status == 200
            route.continue_()

        other.route("**/move", decide_first)
        other.locator("#choices button, #table .playable").first.click()
        expect(other.locator("#refusal")).to_have_text("That decision has been made already.")
        other.close()


def test_the_keyboard_is_enough(open_seat: SeatOpener) -> None:
    with served_table(short_setting("meow"), [0], seed=1) as served:
        page = open_seat(served.addresses[0])
        page.locator("#table .playable").first.focus()
        for _ in range(3):
            title = page.locator("#table .playable").first.get_attribute("aria-label") or ""
            page.keyboard.press("Enter")
            expect(page.locator("#log")).to_contain_text(f"human-0 plays {title}.")
            expect(page.locator("#table .playable").first).to_be_focused()


def test_moves_are_shown_one_after_the_other_before_it_is_your_turn(open_seat: SeatOpener) -> None:
    with served_table(short_setting("meow"), [0], seed=1) as served:
        page = open_seat(served.addresses[0])
        expect(page.locator("#move")).to_be_visible()
        page.select_option("#pace", "350")
        lines = page.locator("#log li").count()
        page.evaluate(
            """() => {
                window.seen = [];
                const byId = (id) => document.getElementById(id);
                const lines = () => byId("log").children.length;
                const look = () => window.seen.push([lines(), byId("move").hidden]);
                new MutationObserver(look).observe(byId("log"), { childList: true });
                byId("table").querySelector(".playable").click();
            }"""
        )
        page.wait_for_function(
            "() => window.seen.length >= 3 && !document.getElementById('move').hidden"
        )
        seen = page.evaluate("() => window.seen")
        assert [count for count, _ in seen] == list(range(lines + 1, lines + 1 + len(seen)))
        assert all(hidden for _, hidden in seen[:-1])


def test_a_clock_is_shown_and_when_it_runs_out_a_stand_in_plays_on(open_seat: SeatOpener) -> None:
    with served_table(short_setting("meow"), [0], seed=1, clock=Clock(300)) as served:
        page = open_seat(served.addresses[0])
        expect(page.locator("#clock")).to_have_text(re.compile(r"5:00|4:\d\d"))
    with served_table(short_setting("meow"), [0], seed=1, clock=Clock(1.5)) as served:
        page = open_seat(served.addresses[0])
        expect(page.locator("#outcome")).to_be_visible()
        expect(page.locator("#moment")).to_contain_text("Your time is up: you lose the match")
        assert served.records[0].ending_of(0) is SeatEnding.OVERRUN


def test_a_page_that_is_opened_before_the_deal_or_loses_the_table_says_so(
    open_seat: SeatOpener,
) -> None:
    game = game_named("meow")
    table = BrowserTable(game, game.default_parameters, ["Ann", "Bob"], [Seat(0)])
    with serve_table(table, 0) as (address,):
        page = open_seat(address)
        expect(page.locator("#moment")).to_have_text("The match is about to begin.")
        page.route("**/updates*", lambda route: route.abort())
        table.feeds[Seat(0)].withdraw("")
        expect(page.locator("#moment")).to_have_text(re.compile("^There is no connection"))
        page.unroute("**/updates*")
        expect(page.locator("#moment")).to_have_text("The match is about to begin.")
    expect(page.locator("#moment")).to_have_text("The table is closed.")


def test_names_are_text(open_seat: SeatOpener) -> None:
    attack = "<img src=x onerror='window.ran = 1'>"
    with served_table(short_setting("trio"), [0], name=attack) as served:
        page = open_seat(served.addresses[0])
        page.evaluate(PLAY, 2)
        expect(page.locator("#you")).to_contain_text(attack)
        assert page.evaluate("() => window.ran === undefined")


@contextmanager
def playing(*words: object) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run the command with a person and a caged bot; yield the process and the address."""
    command = [sys.executable, "-m", "arena", "play", "meow", "human", "greedy-meow", "--browser"]
    with subprocess.Popen(
        [*command, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        try:
            yield process, process.stdout.readline().removeprefix("human-0: ").strip()
        finally:
            process.kill()


def test_ctrl_c_closes_the_table_and_the_page_says_so(
    open_seat: SeatOpener, tmp_path: Path
) -> None:
    with playing("--save", tmp_path / "match.replay") as (process, address):
        page = open_seat(address)
        page.evaluate(PLAY, 1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 1
        assert "Traceback" not in errors
        expect(page.locator("#moment")).to_have_text("The table is closed.")
        expect(page.locator("#move")).to_be_hidden()
        assert not list(tmp_path.iterdir())


def test_the_command_plays_an_ordinary_match_with_a_caged_bot(
    open_seat: SeatOpener, tmp_path: Path
) -> None:
    path = tmp_path / "match.replay"
    with playing("--save", path, "--seed", 3) as (process, address):
        page = open_seat(address)
        page.evaluate(PLAY, -1)
        expect(page.locator("#afterwards")).to_contain_text(str(path))
        again = "arena play meow human greedy-meow --browser"
        expect(page.locator("#afterwards code")).to_have_text(again)
        with page.expect_popup() as replay:
            page.locator("#afterwards a").first.click()
        expect(replay.value.locator("#table")).to_contain_text("greedy-meow-1")
        process.send_signal(signal.SIGINT)
        printed, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "MEOW, seed 3, played out" in printed
    record = read_replay(path.read_bytes())
    assert verify(record) == []
    assert record.cage
    assert {d.seat for d in record.decisions if d.how is How.CHOSEN} == {0, 1}


def test_a_person_gets_a_hint_plays_again_and_saves_and_analyses_the_match(
    open_seat: SeatOpener,
) -> None:
    with served_table(short_setting("meow"), [0], seed=2) as served:
        page = open_seat(served.addresses[0])
        page.locator("#hint").click()
        expect(page.locator("#advice")).to_contain_text("search would play: ")
        advised = page.locator("#advice").inner_text().rpartition(" ")[2]
        assert page.locator(f"#table .playable[data-piece={advised}]").count() == 1
        page.evaluate(PLAY, 100)
        expect(page.locator("#outcome")).to_be_visible()
        with page.expect_download() as saved:
            page.get_by_text("save the replay").click()
        assert not verify(read_replay(Path(saved.value.path()).read_bytes()))
        assert page.get_by_text("with mistakes").get_attribute("href") == "analysis"
        analysed = page.request.get(f"{served.addresses[0]}analysis", timeout=180_000)
        assert '"accuracy":[{"seat":0,' in analysed.text()
        page.get_by_role("button", name="Play again").click()
        assert served.table.again.wait(60)


def test_cards_that_may_not_be_played_are_no_buttons(open_seat: SeatOpener) -> None:
    with served_table(short_setting("meow"), [0], seed=1) as served:
        page = open_seat(served.addresses[0])
        page.evaluate(PLAY, 2)
        expect(page.locator("#move")).to_be_visible()
        feed = served.table.feeds[Seat(0)]
        view = feed.view_of_turn(3)
        legal = {str(card) for card in served.setting.game.legal_actions(view)}
        own = page.locator(".mine .hand .piece")
        names = own.evaluate_all("all => all.map((each) => each.dataset.piece)")
        playable = own.evaluate_all("all => all.map((e) => e.classList.contains('playable'))")
        assert dict(zip(names, playable, strict=True)) == {name: name in legal for name in names}
