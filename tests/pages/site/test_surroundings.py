"""A replay page of a site leads to its league, event and bots, and to the matches beside it."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from tests.builders.leagues import league_with_byes
from tests.pages.replays import Elements
from tests.pages.site.sites import Links, build_site, hostile_league


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a site with a page for every match, for reading only."""
    folder = tmp_path_factory.mktemp("all")
    build_site(league_with_byes(folder), folder / "site", newest=None)
    return folder / "site"


def replay_pages(site: Path) -> dict[Path, str]:
    """Return the replay pages."""
    return {path: path.read_text("utf-8") for path in sorted((site / "replays").rglob("*.html"))}


def targets(path: Path, page: str) -> list[str]:
    """Return the links of a replay page, including the ones that its script draws."""
    data = json.loads(Elements(page).texts["script"][0])
    links = [each for each in Links(page).targets if not each.startswith(("data:", "#"))]
    return [*links, *data["bots"], data["rules"]]


def test_every_link_of_every_replay_page_leads_to_an_existing_file(site: Path) -> None:
    for path, page in replay_pages(site).items():
        for target in targets(path, page):
            assert (path.parent / target).resolve().is_relative_to(site)
            assert (path.parent / target).is_file(), f"{path}: {target}"
        assert {"../../index.html", f"../../events/{path.parent.name}.html"} <= set(
            targets(path, page)
        )


def test_matches_are_chained_from_the_first_to_the_last(site: Path) -> None:
    pages = sorted((site / "replays" / "cup").glob("*.html"), key=lambda path: int(path.stem))
    for before, after in pairwise(pages):
        assert f'<a rel="next" href="{after.name}">' in before.read_text("utf-8")
        assert f'<a rel="prev" href="{before.name}">' in after.read_text("utf-8")
    assert 'rel="prev"' not in pages[0].read_text("utf-8")
    assert 'rel="next"' not in pages[-1].read_text("utf-8")


def test_the_matches_of_a_deal_are_side_by_side(site: Path) -> None:
    compared = 0
    for path, page in replay_pages(site).items():
        if 'class="rotations"' not in page:
            continue
        compared += 1
        table = page[page.index('<section class="rotations"') :]
        table = table[: table.index("</section>")]
        assert f"match {path.stem}, this one" in table
        data = json.loads(Elements(page).texts["script"][0])
        for seat, (name, version) in enumerate(zip(data["names"], data["versions"], strict=True)):
            row = f'<tr><th scope="row"><bdi>{name}</bdi>@{version}</th>'
            cell = f"seat {seat} · place {data['places'][seat]} · {data['scores'][seat]}"
            assert cell in table[table.index(row) :].partition("</tr>")[0]
    assert compared


def test_hostile_names_add_no_element_to_a_replay_page(site: Path, tmp_path: Path) -> None:
    build_site(hostile_league(tmp_path), tmp_path / "site", newest=None)
    # The order differs, as the names of the folders do.
    plain, hostile = (
        sorted(Elements(page).tags for page in replay_pages(each).values())
        for each in (site, tmp_path / "site")
    )
    assert plain == hostile
