"""Find the stored match that a word names: a replay file, or EVENT/NUMBER in the league.

Where a command takes several matches, the name of an event stands for all of its matches.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from arena.api.league import League
from arena.api.replay import Replay, StoredReplay, read_file
from arena.errors import BadInput

_IN_LEAGUE = re.compile(r"(.+)/([0-9]{1,18})")


def stored_match(word: str, db: Path, *, seat: int | None) -> Replay:
    """Find a match and verify it; `word` is a replay file, or EVENT/NUMBER in the league.

    Raise an error if the match does not have this seat.
    """
    if is_event(word):
        raise BadInput(f"{word!r} is neither a replay file nor EVENT/NUMBER, such as cup/17")
    (found,) = stored_replays(word, db)
    replay = found.verified()
    seats = len(replay.players)
    if seat is not None and seat >= seats:
        raise BadInput(f"{word} has no seat {seat}: its seats are 0 to {seats - 1}")
    return replay


def limits_of(word: str, db: Path) -> dict[str, int]:
    """Return the limits of the bots of a match; a file does not say."""
    in_league = None if os.path.isfile(word) else _IN_LEAGUE.fullmatch(word)
    return League(db).limits(in_league[1]) if in_league else {}


def is_event(word: str) -> bool:
    """Tell whether a word is written like the name of an event, not of one match."""
    # Not Path.is_file, which raises an error if the word is too long.
    return not os.path.isfile(word) and not _IN_LEAGUE.fullmatch(word)


def stored_replays(word: str, db: Path) -> Iterator[StoredReplay]:
    """Yield the replay that `word` names, or all replays of an event that it names."""
    in_league = _IN_LEAGUE.fullmatch(word)
    if os.path.isfile(word):
        yield read_file(word)
    elif in_league:
        yield League(db).stored_replay(in_league[1], int(in_league[2]))
    elif db.exists() and not os.path.isdir(word):
        yield from League(db).stored_replays(word)
    else:
        what = "a folder" if os.path.isdir(word) else "neither a replay file nor EVENT/NUMBER"
        raise BadInput(f"{word!r} is {what}; name files, or matches of a league, such as cup/17")
