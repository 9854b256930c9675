"""An event that keeps authors apart never seats two bots of one author at a table."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

import pytest

from arena.errors import BadInput
from arena.submission.package import pack_folder
from arena.tournament.setup import groups_of
from arena.tournament.spec import Kind, Spec
from arena.tournament.verification.events import first_complaint
from leaderboard.bots import Version, submit
from leaderboard.events import all_events, find_event, pairings_of
from leaderboard.store import Writer
from tests.builders.leagues import NOON, FakeWorkers, enter, open_league, play_event

AUTHORS = {"ann": "Jo", "ben": "jo", "cat": "", "dan": "Flo", "eve": "Flo", "fox": "", "gus": "Jo"}
BOTS = tuple(AUTHORS)


def submit_all(writer: Writer, folder: Path, authors: Mapping[str, str]) -> list[Version]:
    """Submit a version of each bot, with its author."""
    versions = []
    for name, author in authors.items():
        text = f'author = "{author}"' if author else ""
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "bot.toml").write_text(f"# {name}\n{text}", encoding="utf-8")
        packed = pack_folder(folder / name)
        submission = submit(
            writer,
            name=name,
            games=("meow", "trio"),
            manifest=text,
            lock="",
            packed=packed,
            now=NOON,
        )
        versions.append(submission.version)
    return versions


def spec_for(kind: Kind, *, seats: int = 2) -> Spec:
    """Return the spec of an event that keeps authors apart."""
    return Spec(
        kind, "meow", "cup", bots=BOTS, seats=seats, rounds=4, seed=3, keep_authors_apart=True
    )


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.GAUNTLET])
def test_two_bots_of_an_author_never_meet_whenever_the_event_is_resumed(
    kind: Kind, tmp_path: Path
) -> None:
    with open_league(tmp_path, ()) as writer:
        groups = groups_of(spec_for(kind), submit_all(writer, tmp_path, AUTHORS))
        enter(writer, spec_for(kind))
        play_event(writer, "cup", FakeWorkers(), stop_after=5)
        play_event(writer, "cup", FakeWorkers(seed=1))
        event = find_event(writer, "cup")
        pairings = pairings_of(writer, event.id)
        assert len(pairings) == 12
        for pairing in pairings:
            assert len({groups[entrant] for entrant in pairing.seating}) == len(pairing.seating)
        assert first_complaint(writer, event) is None


def test_authors_are_compared_without_case_and_versions_of_a_bot_count_as_one(
    tmp_path: Path,
) -> None:
    with open_league(tmp_path, ()) as writer:
        first = submit_all(writer, tmp_path, {"ann": "Jo", "ben": "JO", "cat": "", "dan": "Flo"})
        second = submit_all(writer, tmp_path, {"cat": "Zoe", "dan": "Jo"})
    apart = Spec(Kind.SWISS, "meow", keep_authors_apart=True)
    assert groups_of(apart, first) == [0, 0, 2, 3]
    assert groups_of(apart, [first[2], second[0], first[0]]) == [0, 0, 2]
    # The second version of dan connects Flo with Jo.
    assert groups_of(apart, [first[3], first[0], second[1]]) == [0, 0, 0]
    assert groups_of(Spec(Kind.SWISS, "meow"), first) == ()


def test_an_author_with_more_bots_than_tables_is_refused_before_anything_is_played(
    tmp_path: Path,
) -> None:
    with open_league(tmp_path, ()) as writer:
        submit_all(writer, tmp_path, AUTHORS)
        sentence = (
            r"the bots of Jo cannot be kept apart: ann@1, ben@1, gus@1 are 3 for one table; leave "
            "out 2, enter more bots of other authors, or choose smaller tables"
        )
        with pytest.raises(BadInput, match=sentence):
            enter(writer, spec_for(Kind.SWISS, seats=4))
        assert not all_events(writer)


def test_partners_have_different_authors_too(tmp_path: Path) -> None:
    authors = {"ann": "Jo", "ben": "Jo", "cat": "", "dan": "Flo", "eve": "Flo", "fox": ""}
    with open_league(tmp_path, ()) as writer:
        field = submit_all(writer, tmp_path, authors | {"gus": "", "hal": ""})
        spec = Spec(
            Kind.ROUND_ROBIN,
            "trio",
            name="cup",
            bots=tuple(version.bot for version in field),
            variant=("simple-teams",),
            keep_authors_apart=True,
            seed=1,
        )
        enter(writer, spec)
        play_event(writer, "cup", FakeWorkers())
        for pairing in pairings_of(writer, find_event(writer, "cup").id):
            seated = [field[entrant].author or field[entrant].bot for entrant in pairing.seating]
            assert all(one != other for one, other in combinations(seated, 2))
