"""Links to pages look like something where they are shared."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from arena.games.registry import game_named
from arena.pages.pictures import can_make_png
from arena.pages.replay_page import replay_page
from arena.pages.sharing import title_of_result
from arena.pages.site.build import build
from arena.pages.site.pages import Options
from arena.replays.transcript import player_names
from leaderboard.store import Store
from tests.builders.leagues import NOON, league_with_byes
from tests.pages.previews import preview_in
from tests.pages.replays import SHORT, hostile

URL = "https://league.example/spring/"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a published site, for reading only."""
    folder = tmp_path_factory.mktemp("shared")
    options = Options("Spring league", "Five bots.", URL)
    with Store.open(league_with_byes(folder)) as store:
        build(
            store, folder / "site", newest=0, now=NOON, on_progress=lambda *_: None, options=options
        )
    return folder / "site"


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("index.html", "Spring league"),
        ("events/cup.html", " wins cup"),
        ("bots/ann.html", "ann"),
        ("variants/meow-standard.html", "MEOW, standard"),
        ("replays/cup/0.html", " MEOW, "),
    ],
)
def test_a_published_page_has_a_title_a_sentence_a_picture_and_its_address(
    site: Path, page: str, title: str
) -> None:
    preview = preview_in((site / page).read_text("utf-8"))
    assert title in preview.title
    assert preview.description
    assert preview.address == URL + page
    assert preview.size == (1200, 630)
    assert preview.icon.startswith("data:image/svg+xml,")
    picture = site / preview.picture.removeprefix(URL)
    assert preview.picture.startswith(URL)
    if can_make_png(quickly=True):
        assert picture.read_bytes().startswith(b"\x89PNG")
    else:
        assert ElementTree.parse(picture).getroot().get("width") == "1200"


def test_a_replay_that_hides_its_result_does_not_tell_it_in_its_preview() -> None:
    record = SHORT["meow"]
    told, untold = (preview_in(replay_page(record, hides_result=each)) for each in (False, True))
    names = player_names(record)
    winner = names[record.places.index(1)]
    assert told.title.startswith(f"{winner} wins MEOW, ")
    assert untold.title == f"MEOW: {names[0]}, {names[1]} and {names[2]}"
    assert "first" not in untold.description


def test_hostile_names_stay_inside_the_tags() -> None:
    preview = preview_in(replay_page(hostile(SHORT["meow"])))
    assert "window.ran = 1" in preview.title


def test_a_title_says_who_wins_by_how_much_or_at_equal_scores_and_who_shares() -> None:
    meow = game_named("meow")
    for places, scores, title in (
        ((2, 1), (-3, 9), "ben wins MEOW, 9 to −3"),
        ((1, 2), (9, 9), "ann wins MEOW at equal scores, 9 each"),
        ((1, 1), (9, 9), "ann and ben share first place in MEOW, 9 each"),
    ):
        assert title_of_result(meow, ["ann", "ben"], places, scores, (0, 1)) == title
