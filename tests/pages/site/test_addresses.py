"""Every name becomes a file name, and no two share one."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from arena.pages.site.addresses import (
    is_address,
    page,
    page_of_picture,
    picture_path,
    slugs,
    variant_files,
)

names = st.lists(
    st.text() | st.sampled_from(["Cup", "cup", "cup-2", "../cup", "名前"]), unique=True
)


@given(names)
@example(["cup", "Cup", "cup-2", "cup 2", ".", "..", "", "/", "\0", "a" * 500, "a" * 501])
def test_every_name_has_its_own_file_within_the_folder(given_names: list[str]) -> None:
    files = slugs(given_names, default="event")
    assert list(files) == given_names
    assert len(set(files.values())) == len(given_names)
    for slug in files.values():
        paths = [page(kind, slug) for kind in ("bots", "events", "variants")]
        paths += [page("events", slug, 3), page("replays", slug, 12), *variant_files(slug)]
        pictures = [picture_path(path, "svg") for path in paths if path.endswith(".html")]
        shown = [page_of_picture(path) for path in pictures]
        assert [path for path in shown if path] == [page("replays", slug, 12)]
        assert all(map(is_address, [*paths, *pictures]))
        assert len(slug) < 100


@given(names, names)
def test_later_names_do_not_change_earlier_files(older: list[str], newer: list[str]) -> None:
    both = list(dict.fromkeys([*older, *newer]))
    before = slugs(older, default="event")
    after = slugs(both, default="event")
    assert {name: after[name] for name in older} == before


def test_ordinary_names_are_kept_in_lower_case() -> None:
    assert slugs(["spring-cup", "Greedy_2"], default="event") == {
        "spring-cup": "spring-cup",
        "Greedy_2": "greedy_2",
    }


def test_no_address_leads_out_of_the_folder() -> None:
    for path in (
        "../x.html",
        "/x.html",
        "a/../../x.html",
        "a//x.html",
        "a\\x.html",
        "x.js",
        "",
        "x.json",
        "a/x.csv",
        "x.svg",
        "pictures/../x.svg",
    ):
        assert not is_address(path)
    for path in ("x.json", "a/x.csv", "variants/a/x.csv", "variants/.json"):
        assert not is_address(path)
