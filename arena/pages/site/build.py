"""Write a league as a folder of pages, or bring the folder up to date."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from arena import __version__
from arena.analysis.assessment import Analysis
from arena.errors import ArenaError
from arena.pages.replay_page import Surroundings
from arena.pages.site.analyses import analyse_within, path_of, read_analyses, written
from arena.pages.site.data import LeagueData, read_league
from arena.pages.site.folder import Changes, Folder
from arena.pages.site.highlights import highlights, matches_with_pages, worth_watching
from arena.pages.site.pages import Options, Site, replay_path_of
from leaderboard.matches import StoredMatch, replays_of
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
    reader: Reader,
    folder: Path,
    *,
    newest: int | None,
    now: datetime,
    on_progress: OnProgress,
    options: Options | None = None,
    analyse_s: float = 0.0,
) -> BuildResult:
    """Bring a folder up to date with a league.

    Highlights get replay pages, and so do the `newest` matches; None means all matches. A replay
    page that was published stays as long as the league has the match: others may link to it. For
    `analyse_s` seconds, matches that have no analysis yet are analysed, those worth watching first.
    """
    options = options or Options()
    output = Folder(folder, _generator(options), now=now)
    league = read_league(reader)
    best = highlights(league.matches(), league.versions)
    chosen = {match.id for match in matches_with_pages(league, best, newest)}
    wanted = [
        match
        for match in league.matches()
        if match.id in chosen
        or (match.has_replay and output.is_listed(replay_path_of(league, match)))
    ]
    analyses = read_analyses(folder, league, wanted)
    if analyse_s:
        waiting = [match for match in _by_worth(league, wanted) if match.id not in analyses]
        analyses |= analyse_within(reader, waiting, analyse_s)
    site = Site(league, wanted, options, analyses, best)
    # The page of a match, and its picture.
    sources: dict[str, tuple[StoredMatch, str]] = {}
    for match in wanted:
        page = site.replay_path(match)
        source = _source(league, match, site.surroundings(match), analyses.get(match.id))
        sources[page] = sources[site.picture_path(page)] = match, source
    kept = {
        path_of(league, match): written(match, analyses[match.id])
        for match in wanted
        if match.id in analyses
    }
    output.plan([*site.paths(), *sources, *kept])
    for path, text in kept.items():
        output.write(path, text)
    missing: dict[int, list[str]] = {}
    for path, (match, source) in sources.items():
        if not output.keep_unchanged(path, source):
            missing.setdefault(match.id, []).append(path)
    total = len(missing) + len(site.paths())
    failed: dict[int, str] = {}
    by_id = {match.id: match for match in wanted}
    # Outside the snapshot: replays never change, and writing their pages takes a while.
    for done, (number, stored) in enumerate(replays_of(reader, list(missing)), start=1):
        on_progress(done, total)
        match = by_id[number]
        try:
            made = [(path, site.make_replay(path, match, stored)) for path in missing[number]]
        except ArenaError as error:
            name = league.events[match.event].event.name
            failed[number] = f"{name}/{match.result.number}: {error}"
            continue
        for path, content in made:
            output.write(path, content, sources[path][1])
    if failed:
        shown = [match for match in wanted if match.id not in failed]
        site = Site(league, shown, options, site.analyses, best)
    for done, path in enumerate(site.paths(), start=len(missing) + 1):
        on_progress(done, total)
        output.write(path, site.make(path) or "")
    return BuildResult(output.finish(), len(wanted) - len(failed), list(failed.values()))


def _by_worth(league: LeagueData, matches: Sequence[StoredMatch]) -> list[StoredMatch]:
    """Order matches: those worth watching, then the newest."""
    first = [each.match.id for each in worth_watching(league, {match.id for match in matches})]
    return sorted(matches, key=lambda match: (match.id not in first, -match.id))


def _source(
    league: LeagueData, match: StoredMatch, surroundings: Surroundings, analysis: Analysis | None
) -> str:
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
            repr(analysis),
        ]
    )


def _generator(options: Options) -> str:
    """Identify the program that writes replay pages: its version, and the files of its pages."""
    package, games = files("arena.pages"), files("arena.games")
    folders = (package, package.joinpath("files"), games, *games.iterdir())
    texts = [
        entry.read_text(encoding="utf-8")
        for folder in folders
        if folder.is_dir() and folder.name != "__pycache__"
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if entry.is_file() and (folder == package or "picture" in entry.name or "." in entry.name)
    ]
    return _digest([__version__, options.url, *texts])


def _digest(texts: Sequence[str]) -> str:
    return sha256("\0".join(texts).encode()).hexdigest()[:32]
