"""How does a league become a folder of pages?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from arena import __version__
from arena.errors import ArenaError
from arena.games.registry import AnyGame, game_named
from arena.pages.replay_page import replay_page
from arena.pages.site.addresses import replay_path
from arena.pages.site.choosing import chosen_matches, highlights
from arena.pages.site.data import League, read_league
from arena.pages.site.folder import Changes, Folder
from arena.pages.site.rendering import page_paths, pages
from arena.replays.format import read_replay
from arena.replays.story import Teller
from leaderboard.report import FinishedMatch, replays_of
from leaderboard.store import Reader

TellerOf = Callable[[AnyGame], Teller]
"""Finds who tells the events of a game."""
Tell = Callable[[int, int], None]
"""Is told how much is done, of how much."""


class Built(NamedTuple):
    """What became of a league."""

    changes: Changes
    replays: int
    """How many replays have pages."""
    unshown: list[str]
    """Why some replays that were wanted have none."""


def build(
    reader: Reader, folder: Path, *, teller_of: TellerOf, newest: int | None, tell: Tell
) -> Built:
    """Bring a folder up to date with a league.

    Telling matches have replay pages, and besides them the newest so many; None means all.
    """
    place = Folder(folder, _maker())
    league = read_league(reader)
    shown = highlights(league.matches(), league.versions)
    wanted = chosen_matches(league, shown, newest)
    addresses = {match.id: _address(league, match) for match in wanted}
    paths = page_paths(league)
    place.plan([*paths, *addresses.values()])
    missing = [
        match for match in wanted if not place.keeps(addresses[match.id], _source(league, match))
    ]
    total = len(missing) + len(paths)
    failed: dict[int, str] = {}
    by_id = {match.id: match for match in missing}
    # Outside of the snapshot: a replay never changes, and making its page takes a while.
    for done, (number, content) in enumerate(replays_of(reader, list(by_id)), start=1):
        tell(done, total)
        match = by_id[number]
        try:
            text = _replay_page(content, teller_of)
        except ArenaError as error:
            failed[number] = f"{league.events[match.event].event.name}/{match.number}: {error}"
            continue
        place.write(addresses[number], text, _source(league, match))
    replays = addresses.keys() - failed.keys()
    for done, (path, text) in enumerate(pages(league, shown, replays), start=len(missing) + 1):
        tell(done, total)
        place.write(path, text)
    return Built(place.finish(), len(replays), list(failed.values()))


def _replay_page(content: bytes, teller_of: TellerOf) -> str:
    record = read_replay(content)
    return replay_page(record, teller_of(game_named(record.game_id)))


def _address(league: League, match: FinishedMatch) -> str:
    return replay_path(league.events[match.event].slug, match.number)


def _source(league: League, match: FinishedMatch) -> str:
    """Name a match as no other match of any league is named."""
    event = league.events[match.event].event
    who = [league.versions[seat.version].hash for seat in match.seats]
    return _digest([event.name, event.started, str(match.number), match.seed, *who])


def _maker() -> str:
    """Name what replay pages are made with: this arena, and the files that they consist of."""
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
