"""Write a league as a folder of pages, or bring the folder up to date."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from arena import __version__
from arena.errors import ArenaError
from arena.pages.replay_page import Surroundings, replay_page
from arena.pages.site.addresses import read_replay_path, replay_path, slugs
from arena.pages.site.data import LeagueData, read_league
from arena.pages.site.folder import Changes, Folder
from arena.pages.site.highlights import highlights, matches_with_pages
from arena.pages.site.render import page_paths, pages
from arena.pages.site.surroundings import surroundings_of, surroundings_on_demand
from arena.replays.format import read_replay
from leaderboard.events import all_events
from leaderboard.matches import StoredMatch, replay_of, replays_of
from leaderboard.store import Reader

OnProgress = Callable[[int, int], None]
"""Called with the number of pages done and the total."""


class BuildResult(NamedTuple):
    """The result of a build."""

    changes: Changes
    replays: int
    """Number of replays that have pages."""
    failures: list[str]
    """Why other replays have none."""


def build(
    reader: Reader, folder: Path, *, newest: int | None, now: datetime, on_progress: OnProgress
) -> BuildResult:
    """Bring a folder up to date with a league.

    Highlights get replay pages, and so do the `newest` matches; None means all matches. A replay
    page that was published stays as long as the league has the match: others may link to it.
    """
    output = Folder(folder, _generator(), now=now)
    league = read_league(reader)
    bot_highlights = highlights(league.matches(), league.versions)
    chosen = {match.id for match in matches_with_pages(league, bot_highlights, newest)}
    wanted = [
        match
        for match in league.matches()
        if match.id in chosen or (match.has_replay and output.is_listed(_address(league, match)))
    ]
    addresses = {match.id: _address(league, match) for match in wanted}
    surroundings = surroundings_of(league, addresses)
    paths = page_paths(league)
    output.plan([*paths, *addresses.values()])
    sources = {match.id: _source(league, match, surroundings(match)) for match in wanted}
    missing = [
        match
        for match in wanted
        if not output.keep_unchanged(addresses[match.id], sources[match.id])
    ]
    total = len(missing) + len(paths)
    failed: dict[int, str] = {}
    by_id = {match.id: match for match in missing}
    # Outside the snapshot: replays never change, and writing their pages takes a while.
    for done, (number, content) in enumerate(replays_of(reader, list(by_id)), start=1):
        on_progress(done, total)
        match = by_id[number]
        try:
            text = replay_page(read_replay(content), surroundings=surroundings(match))
        except ArenaError as error:
            failed[number] = (
                f"{league.events[match.event].event.name}/{match.result.number}: {error}"
            )
            continue
        output.write(addresses[number], text, sources[number])
    replays = addresses.keys() - failed.keys()
    for done, (path, text) in enumerate(
        pages(league, bot_highlights, replays), start=len(missing) + 1
    ):
        on_progress(done, total)
        output.write(path, text)
    return BuildResult(output.finish(), len(replays), list(failed.values()))


def replay_on_demand(reader: Reader, path: str) -> str | None:
    """Return the page of a replay by its path; None if the league has no such replay."""
    found = read_replay_path(path)
    if found is None:
        return None
    slug, number = found
    events = all_events(reader)
    names = slugs((event.name for event in events), default="event")
    for event in events:
        if names[event.name] == slug:
            content = replay_of(reader, event.id, number)
            if content is None:
                return None
            surroundings = surroundings_on_demand(reader, event, slug, number)
            return replay_page(read_replay(content), surroundings=surroundings)
    return None


def _address(league: LeagueData, match: StoredMatch) -> str:
    return replay_path(league.events[match.event].slug, match.result.number)


def _source(league: LeagueData, match: StoredMatch, surroundings: Surroundings) -> str:
    """Identify a match among those of all leagues, and what its page links to."""
    event = league.events[match.event].event
    hashes = [league.versions[seat.version].hash for seat in match.result.seats]
    return _digest(
        [
            event.name,
            event.started,
            str(match.result.number),
            match.result.seed.hex(),
            *hashes,
            repr(surroundings),
        ]
    )


def _generator() -> str:
    """Identify the program that writes replay pages: its version, and the files of its pages."""
    package = files("arena.pages")
    folders = (package, package.joinpath("files"))
    texts = [
        entry.read_text(encoding="utf-8")
        for folder in folders
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if entry.is_file()
    ]
    return _digest([__version__, *texts])


def _digest(texts: Sequence[str]) -> str:
    return sha256("\0".join(texts).encode()).hexdigest()[:32]
