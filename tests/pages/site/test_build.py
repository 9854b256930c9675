"""Does a site tell the league, with links that lead somewhere, and nothing that runs?"""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote

import pytest

from arena.pages.site.rendering import ON_LIST, policy
from leaderboard.boards import leaderboard
from leaderboard.ledger import Ledger
from leaderboard.store import Store
from tests.leaderboard.league import NOW, new_event, new_league, plan, results
from tests.pages.replays import Elements
from tests.pages.site.leagues import (
    EVENTS,
    NAMES,
    Links,
    build_site,
    hostile_league,
    play_more,
    small_league,
    texts_of,
)

Made = tuple[Path, Path]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Return a league and its site, to be looked at only."""
    folder = tmp_path_factory.mktemp("made")
    db = small_league(folder)
    build_site(db, folder / "site")
    return db, folder / "site"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the site of a league whose names are attacks."""
    folder = tmp_path_factory.mktemp("hostile")
    build_site(hostile_league(folder), folder / "inner" / "site")
    return folder / "inner" / "site"


def check_links(site: Path) -> None:
    """Follow every link of every page."""
    for path, text in texts_of(site).items():
        links = Links(text)
        assert links.targets
        for target in links.targets:
            address, _, place = target.partition("#")
            assert ":" not in address
            assert not address.startswith("/")
            leads_to = (site / path).parent / unquote(address) if address else site / path
            assert leads_to.resolve().is_relative_to(site.resolve())
            assert leads_to.is_file(), f"{path}: {target}"
            assert not place or place in links.ids


def test_every_link_leads_to_a_file_that_is_there(made: Made, hostile: Path) -> None:
    check_links(made[1])
    check_links(hostile)


def test_there_is_a_page_for_each_event_and_bot(made: Made) -> None:
    expected = {f"events/{name}.html" for name in EVENTS} | {f"bots/{name}.html" for name in NAMES}
    assert set(texts_of(made[1])) == {"index.html"} | expected


def test_the_leaderboard_is_that_of_the_league(made: Made) -> None:
    db, site = made
    index = texts_of(site)["index.html"]
    with Store.open(db) as store:
        lines = leaderboard(store)
    assert len(lines) == len(NAMES)
    places = []
    for line in lines:
        cells = (
            f'title="{line.bot}">{line.bot}</a></th><td class="n">{line.version}</td>'
            f'<td class="n strong">{line.score:.2f}</td><td class="n">{line.mu:.2f}</td>'
            f'<td class="n">{line.sigma:.2f}</td><td class="n">{line.matches}</td>'
            f'<td class="n">{line.wins}</td>'
        )
        places.append(index.index(cells))
    assert places == sorted(places)


def test_an_event_tells_of_faults_suspensions_byes_and_every_match(made: Made) -> None:
    db, site = made
    cup, swiss = (texts_of(site)[f"events/{name}.html"] for name in EVENTS)
    assert "<b>cat@1</b>: suspended after faults in 4 of its first" in cup
    assert "it crashed" in cup
    assert "Byes" not in cup
    assert "<li>Round 1: " in swiss
    with Store.open(db) as store:
        for event, page in enumerate((cup, swiss), start=1):
            row = store.row("SELECT count(*) FROM matches WHERE event = ?", [event])
            assert row == (page.count('<ol class="placing">'),)


def test_a_bots_page_tells_its_record_seats_rivals_faults_and_matches(made: Made) -> None:
    page = texts_of(made[1])["bots/cat.html"]
    for title in ("Head to head", "Seats", "The best", "The worst", "Faults", "Versions"):
        assert f">{title}</h" in page
    assert page.count('href="../replays/cup/') >= 4
    assert 'crashed</td><td class="n">4</td>' in page


def test_what_has_not_changed_is_not_written_again(tmp_path: Path) -> None:
    db, site = small_league(tmp_path), tmp_path / "site"
    first = build_site(db, site)
    assert first.changes.written == first.changes.files == len(list(site.rglob("*.html")))
    files = [path for path in site.rglob("*") if path.is_file()]
    for path in files:
        os.utime(path, (1, 1))
    second = build_site(db, site)
    assert second.changes == first.changes._replace(written=0)
    assert all(path.stat().st_mtime == 1 for path in files)
    play_more(db)
    build_site(db, site)
    changed = {path.name for path in files if path.stat().st_mtime != 1}
    # Another event changes the pages of those who played in it, and of whom they are ranked with.
    assert {"index.html", "ann.html", "ben.html"} <= changed
    assert not changed & {"cup.html", "open.html"}
    assert not [path for path in files if "replays" in path.parts and path.stat().st_mtime != 1]


def test_replays_are_made_as_asked_and_removed_when_not_wanted(tmp_path: Path) -> None:
    db = small_league(tmp_path)
    site = tmp_path / "site"

    def replays() -> set[Path]:
        return set((site / "replays").rglob("*.html"))

    usual = build_site(db, site)
    telling = replays()
    assert len(telling) == usual.replays
    build_site(db, site, newest=3)
    with Store.open(db) as store:
        newest = list(store.rows("SELECT event, number FROM matches ORDER BY id DESC LIMIT 3"))
        everything = list(store.rows("SELECT match FROM replays"))
    paths = {site / f"replays/{EVENTS[event - 1]}/{number}.html" for event, number in newest}
    assert replays() == telling | paths
    assert build_site(db, site, newest=None).replays == len(everything)
    check_links(site)
    assert build_site(db, site).changes.removed == len(everything) - len(telling)
    assert replays() == telling


def test_replays_of_another_league_are_not_kept(tmp_path: Path) -> None:
    site = tmp_path / "site"
    first = build_site(small_league(tmp_path), site)
    other = hostile_league(tmp_path)
    made = build_site(other, site)
    assert made.changes.written >= first.replays
    check_links(site)


def made_up_league(path: Path, pairings: int) -> None:
    """Make a league whose replays are none."""
    with new_league(path) as store, store.writing() as writer:
        event = new_event(writer, plan(), pairings=pairings)
        ledger = Ledger(writer, event.id)
        ledger.finish(results(writer, event, pairings=pairings), now=NOW)


def test_a_replay_that_cannot_be_read_has_no_page_and_is_named(tmp_path: Path) -> None:
    made_up_league(tmp_path / "arena.db", pairings=3)
    built = build_site(tmp_path / "arena.db", tmp_path / "site")
    assert built.replays == 0
    assert built.unshown[0].startswith("spring/")
    check_links(tmp_path / "site")


def test_an_empty_league_has_a_site_too(tmp_path: Path) -> None:
    Store.open(tmp_path / "arena.db", create=True).close()
    build_site(tmp_path / "arena.db", tmp_path / "site")
    assert "No match has been rated yet." in texts_of(tmp_path / "site")["index.html"]


def test_a_report_and_a_writer_are_not_in_each_others_way(tmp_path: Path) -> None:
    db = small_league(tmp_path)
    with Store.open(db) as store, store.writing() as writer, writer.transaction():
        writer.write("UPDATE events SET name = 'unfinished business' WHERE id = 1")
        build_site(db, tmp_path / "site")
    assert "unfinished" not in texts_of(tmp_path / "site")["index.html"]
    build_site(db, tmp_path / "site")
    assert "unfinished" in texts_of(tmp_path / "site")["index.html"]


def test_a_long_event_has_its_matches_on_pages_of_their_own(tmp_path: Path) -> None:
    made_up_league(tmp_path / "arena.db", pairings=70)
    site = tmp_path / "site"
    build_site(tmp_path / "arena.db", site)
    check_links(site)
    texts = texts_of(site)
    rows = {path: text.count('<ol class="placing">') for path, text in texts.items()}
    assert rows["events/spring.html"] == 0
    assert rows["events/spring/1.html"] + rows["events/spring/2.html"] == 70 * 4
    assert rows["events/spring/1.html"] == ON_LIST


def test_hostile_names_add_no_element_and_no_attribute(made: Made, hostile: Path) -> None:
    tame = sorted(Elements(text).tags for text in texts_of(made[1]).values())
    assert sorted(Elements(text).tags for text in texts_of(hostile).values()) == tame


def test_hostile_names_write_nothing_outside_of_the_folder(hostile: Path) -> None:
    assert [path.name for path in hostile.parent.iterdir()] == ["site"]
    outside = {path.name for path in hostile.parent.parent.iterdir()}
    assert outside == {"arena.db", "inner"}


def test_letters_that_turn_a_text_round_are_marks(hostile: Path) -> None:
    for text in texts_of(hostile).values():
        assert "\u202e" not in text
        assert "\u2028" not in text
    assert "名�" in texts_of(hostile)["index.html"]


def test_the_policy_allows_the_one_style_and_no_script(made: Made) -> None:
    for text in texts_of(made[1]).values():
        elements = Elements(text)
        assert elements.policy == policy()
        assert "script" not in elements.policy
        assert "unsafe" not in elements.policy
        assert not elements.texts["script"]
        names = {name for _, attributes in elements.tags for name in attributes}
        assert not {name for name in names if name.startswith("on") or name == "style"}
