"""A site shows the league, its links work, and it runs no script but its own."""

from __future__ import annotations

import json
import os
import shutil
from datetime import timedelta
from itertools import combinations
from pathlib import Path
from urllib.parse import unquote

import pytest

from arena.pages.site import highlights as selection
from arena.pages.site.event_pages import ON_LIST
from arena.pages.site.pages import policy, script
from leaderboard.deletion import delete_event
from leaderboard.events import find_event
from leaderboard.ledger import Ledger
from leaderboard.queries.leaderboards import leaderboard
from leaderboard.store import Store
from leaderboard.strength.words import strength_text
from tests.builders.leagues import NAMES, NOON, league_with_byes, play_another_event
from tests.builders.made_up import NOW, make_plan, make_results, new_event, new_league
from tests.pages.replays import Elements
from tests.pages.site.sites import EVENTS, Links, build_site, hostile_league, texts_of

LeagueAndSite = tuple[Path, Path]


@pytest.fixture(scope="module")
def league_and_site(tmp_path_factory: pytest.TempPathFactory) -> LeagueAndSite:
    """Return a league and its site, for reading only."""
    folder = tmp_path_factory.mktemp("made")
    db = league_with_byes(folder)
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
        # The page for addresses that do not exist may be shown at any of them.
        assert path != "404.html" or len(links.targets) == 1
        for target in links.targets:
            address, _, fragment = target.partition("#")
            if target.startswith("data:image/svg+xml,"):
                continue
            assert ":" not in address
            assert not address.startswith("/")
            destination = (site / path).parent / unquote(address) if address else site / path
            assert destination.resolve().is_relative_to(site.resolve())
            assert destination.is_file(), f"{path}: {target}"
            page = (
                texts_of(site)[str(destination.resolve().relative_to(site.resolve()))]
                if fragment
                else ""
            )
            assert not fragment or fragment in Links(page).ids


def test_every_link_leads_to_an_existing_file(
    league_and_site: LeagueAndSite, hostile: Path
) -> None:
    check_links(league_and_site[1])
    check_links(hostile)


def test_there_is_a_page_for_each_event_and_bot(league_and_site: LeagueAndSite) -> None:
    expected = {f"events/{name}.html" for name in EVENTS} | {f"bots/{name}.html" for name in NAMES}
    others = {"index.html", "404.html", "variants/meow-standard.html", "rules/meow.html"}
    pairs = {f"pairs/{one}--{other}.html" for one, other in combinations(sorted(NAMES), 2)}
    assert set(texts_of(league_and_site[1])) == others | expected | pairs
    pictures = {f"pictures/{path[:-5]}.svg" for path in {"index.html"} | expected}
    assert all((league_and_site[1] / path).is_file() for path in pictures)


def test_the_first_page_shows_who_leads_by_strength(league_and_site: LeagueAndSite) -> None:
    db, site = league_and_site
    index = texts_of(site)["index.html"]
    with Store.open(db) as store:
        lines = sorted(leaderboard(store), key=lambda line: line.strength_rank or 99)
    assert len(lines) == len(NAMES)
    positions = []
    for line in lines:
        positions.append(
            index.index(f'title="{line.bot}">{line.bot}</a><small>@{line.version}</small>')
        )
        text = strength_text(line.strength, line.strength_low, line.strength_high)
        assert f'<td class="n">{text}</td>' in index
    assert positions == sorted(positions)
    assert "The closest finish: " in index
    assert '<img src="pictures/replays/' in index


def test_an_events_page_shows_faults_suspensions_byes_and_every_match(
    league_and_site: LeagueAndSite,
) -> None:
    db, site = league_and_site
    cup, swiss = (texts_of(site)[f"events/{name}.html"] for name in EVENTS)
    assert "<b>cat@1</b>: suspended after faults in 7 of its first" in cup
    assert "it crashed" in cup
    assert "Byes" not in cup
    assert "<li>Round 1: " in swiss
    with Store.open(db) as store:
        for event, page in enumerate((cup, swiss), start=1):
            row = store.row("SELECT count(*) FROM matches WHERE event = ?", [event])
            listed = page[page.index("<h2>Matches</h2>") :]
            assert row == (listed.count('<ol class="placing">'),)


def test_the_page_of_an_event_says_how_opposition_counts_and_which_event_it_repeats(
    tmp_path: Path,
) -> None:
    db = league_with_byes(tmp_path)
    play_another_event(db, "large", seats=3)
    for name in ("more", "again"):
        play_another_event(db, name)
    build_site(db, tmp_path / "site")
    pages = texts_of(tmp_path / "site")
    assert "adjusted</th>" in pages["events/large.html"]
    assert "plus the mean points of its opponents" in pages["events/large.html"]
    assert "adjusted" not in pages["events/open.html"]
    assert ", 2 matches at tables of 2, " in pages["events/again.html"]
    assert "matches repeat those of more: not rated again" in pages["events/again.html"]
    assert "repeat " not in pages["events/more.html"]


def test_a_bots_page_shows_its_record_seats_rivals_faults_and_matches(
    league_and_site: LeagueAndSite,
) -> None:
    page = texts_of(league_and_site[1])["bots/cat.html"]
    for title in ("Head to head", "Best", "Worst", "Faults", "Versions"):
        assert f">{title}</h" in page
    assert "<summary>Points by seat</summary>" in page
    assert page.count('href="../replays/cup/') >= 4
    assert 'crashed</td><td class="n">7</td>' in page


def test_unchanged_pages_are_not_rewritten(tmp_path: Path) -> None:
    db, site = league_with_byes(tmp_path), tmp_path / "site"
    first = build_site(db, site)
    files = [path for path in site.rglob("*") if path.is_file()]
    # All but the listing.
    assert first.changes.written == first.changes.files == len(files) - 1
    for path in files:
        os.utime(path, (1, 1))
    second = build_site(db, site)
    assert second.changes == first.changes._replace(written=0)
    assert all(path.stat().st_mtime == 1 for path in files)
    play_another_event(db)
    build_site(db, site)
    changed = {path.name for path in files if path.stat().st_mtime != 1}
    # Another event changes the pages of its bots, and of the bots on the same leaderboard.
    assert {"index.html", "ann.html", "ben.html"} <= changed
    assert not changed & {"cup.html", "open.html"}
    assert not [path for path in files if "replays" in path.parts and path.stat().st_mtime != 1]


def test_a_page_says_when_it_was_last_written(
    league_and_site: LeagueAndSite, tmp_path: Path
) -> None:
    db, site = league_with_byes(tmp_path), tmp_path / "site"
    shutil.copytree(league_and_site[1], site)
    build_site(db, site, now=NOON + timedelta(days=1))
    play_another_event(db)
    build_site(db, site, now=NOON + timedelta(days=2))
    pages = texts_of(site)
    assert "Written 2026-01-02 12:00 UTC" in pages["events/cup.html"]
    assert "Written 2026-01-04 12:00 UTC" in pages["index.html"]
    document = json.loads((site / "variants" / "meow-standard.json").read_text())
    assert document["written"] == "2026-01-04 12:00 UTC"


def test_replays_are_created_on_request_and_stay_because_others_may_link_to_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selection, "SMALL", 0)
    db = league_with_byes(tmp_path)
    site = tmp_path / "site"

    def replays() -> set[Path]:
        return set((site / "replays").rglob("*.html"))

    usual = build_site(db, site)
    highlights = replays()
    assert len(highlights) == usual.replays
    build_site(db, site, newest=3)
    with Store.open(db) as store:
        newest = list(store.rows("SELECT event, number FROM matches ORDER BY id DESC LIMIT 3"))
        everything = list(store.rows("SELECT match FROM replays"))
    paths = {site / f"replays/{EVENTS[event - 1]}/{number}.html" for event, number in newest}
    assert replays() == highlights | paths
    assert build_site(db, site, newest=None).replays == len(everything)
    check_links(site)
    published = replays()
    assert build_site(db, site).changes.removed == 0
    assert replays() == published
    with Store.open(db) as store, store.writing() as writer:
        delete_event(writer, find_event(writer, "open"), now=NOON)
    build_site(db, site)
    assert replays() == {path for path in published if path.parent.name == "cup"}


def test_replays_of_another_league_are_not_kept(
    league_and_site: LeagueAndSite, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    shutil.copytree(league_and_site[1], site)
    replays = len(list((site / "replays").rglob("*.html")))
    assert build_site(hostile_league(tmp_path), site).changes.written >= replays
    check_links(site)


def made_up_league(path: Path, pairings: int) -> None:
    """Make a league whose replays are not valid."""
    with new_league(path) as store, store.writing() as writer:
        event = new_event(writer, make_plan(), pairings=pairings)
        ledger = Ledger(writer, event.id)
        ledger.finish(make_results(writer, event, pairings=pairings), now=NOW)


def test_an_unreadable_replay_has_no_page_and_is_reported(tmp_path: Path) -> None:
    made_up_league(tmp_path / "arena.db", pairings=3)
    built = build_site(tmp_path / "arena.db", tmp_path / "site")
    assert built.replays == 0
    assert built.failures[0].startswith("spring/")
    check_links(tmp_path / "site")


def test_an_empty_league_also_has_a_site(tmp_path: Path) -> None:
    Store.open(tmp_path / "arena.db", create=True).close()
    build_site(tmp_path / "arena.db", tmp_path / "site")
    assert "No match has been rated yet." in texts_of(tmp_path / "site")["index.html"]


def test_a_report_and_a_writer_do_not_block_each_other(tmp_path: Path) -> None:
    db = league_with_byes(tmp_path)
    with Store.open(db) as store, store.writing() as writer, writer.transaction():
        writer.write("UPDATE events SET name = 'unfinished business' WHERE id = 1")
        build_site(db, tmp_path / "site")
    assert "unfinished" not in texts_of(tmp_path / "site")["index.html"]
    build_site(db, tmp_path / "site")
    assert "unfinished" in texts_of(tmp_path / "site")["index.html"]


def test_a_long_event_has_its_matches_on_separate_pages(tmp_path: Path) -> None:
    made_up_league(tmp_path / "arena.db", pairings=70)
    site = tmp_path / "site"
    build_site(tmp_path / "arena.db", site)
    check_links(site)
    texts = texts_of(site)
    rows = {path: text.count('<ol class="placing">') for path, text in texts.items()}
    assert rows["events/spring.html"] == 0
    assert rows["events/spring/1.html"] + rows["events/spring/2.html"] == 70 * 4
    assert rows["events/spring/1.html"] == ON_LIST


def test_hostile_names_add_no_element_and_no_attribute(
    league_and_site: LeagueAndSite, hostile: Path
) -> None:
    tame = sorted(Elements(text).tags for text in texts_of(league_and_site[1]).values())
    assert sorted(Elements(text).tags for text in texts_of(hostile).values()) == tame


def test_hostile_names_write_nothing_outside_the_folder(hostile: Path) -> None:
    assert [path.name for path in hostile.parent.iterdir()] == ["site"]
    outside = {path.name for path in hostile.parent.parent.iterdir()}
    assert outside == {"arena.db", "inner"}


def test_characters_that_reverse_text_are_replaced(hostile: Path) -> None:
    for text in texts_of(hostile).values():
        assert "\u202e" not in text
        assert "\u2028" not in text
    assert "名�" in texts_of(hostile)["index.html"]


def test_the_policy_allows_the_one_style_and_the_one_script(
    league_and_site: LeagueAndSite,
) -> None:
    for text in texts_of(league_and_site[1]).values():
        elements = Elements(text)
        assert elements.policy == policy()
        assert "unsafe" not in elements.policy
        assert elements.texts["script"] == [script()]
        assert elements.policy.count("sha256-") == 2
        names = {name for _, attributes in elements.tags for name in attributes}
        assert not {name for name in names if name.startswith("on") or name == "style"}
