"""Analyses of matches that are kept beside their pages, and how good their chances were.

An analysis takes seconds, so a report makes those worth it within a budget of time and keeps them
as JSON in its folder. Later reports read them again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from arena.analysis.assessment import Analysis, Assessment, Effort
from arena.analysis.calibration import AnalysedMatch, calibration
from arena.errors import ArenaError
from arena.pages.pictures import Row
from arena.pages.sharing import Share
from arena.pages.site import addresses
from arena.pages.site.data import LeagueData
from arena.replays.format import read_replay
from arena.text import quantity
from leaderboard.matches import StoredMatch, replay_of
from leaderboard.store import Reader

EFFORT = Effort(think_s=0.05)
"""At most; half of the usual one, as pages show many matches."""
_LEAST_S = 0.005


def path_of(league: LeagueData, match: StoredMatch) -> str:
    """Return the path of the analysis of a match."""
    return addresses.analysis_file(league.events[match.event].slug, match.result.number)


def read_analyses(
    folder: Path, league: LeagueData, matches: Iterable[StoredMatch]
) -> dict[int, Analysis]:
    """Read the analyses in a folder; a file of another match, or a damaged one, is ignored."""
    found = {}
    for match in matches:
        try:
            content = json.loads((folder / path_of(league, match)).read_text(encoding="utf-8"))
            if content["seed"] == match.result.seed.hex():
                found[match.id] = _read(content)
        except (OSError, ValueError, TypeError, LookupError, RecursionError):
            continue
    return found


def analyse_within(
    reader: Reader,
    matches: Iterable[StoredMatch],
    seconds: float,
) -> dict[int, Analysis]:
    """Analyse matches in turn until the time is up: at least one, and the last one to its end."""
    # Most reports analyse nothing, and starting processes takes many modules.
    from arena.analysis.engine import analyse

    start = time.monotonic()
    found: dict[int, Analysis] = {}
    for match in matches:
        used = time.monotonic() - start
        if found and used >= seconds:
            break
        stored = replay_of(reader, match.event, match.result.number)
        try:
            if stored:
                found[match.id] = analyse(read_replay(stored), _effort(match, seconds - used))
        except ArenaError:
            continue  # It has no page either.
    return found


def _effort(match: StoredMatch, left_s: float) -> Effort:
    """Return the effort for a match: a long one must not take much more than the time left."""
    if EFFORT.playouts is not None:
        return EFFORT
    share = max(_LEAST_S, left_s / max(1, match.result.decisions))
    return EFFORT._replace(think_s=round(min(EFFORT.think_s, share), 4))


def analysis_context(league: LeagueData, analyses: Mapping[int, Analysis]) -> dict[str, Any]:
    """Return what the page about chances shows."""
    matches = [match for match in league.matches() if match.id in analyses]
    analysed = [
        AnalysedMatch(analyses[match.id], [seat.place for seat in match.result.seats])
        for match in matches
    ]
    bins = calibration(analysed)
    count = quantity(len(matches), "match", "matches")
    about = f"How good the chances are that pages of matches show, from {count}."
    return {
        "bins": bins,
        "analysed": matches,
        "effort": EFFORT,
        "share": Share("Chances and mistakes", about),
        "rows": [Row(f"called {one.called:.0%}", f"{one.won:.0%} won", one.won) for one in bins],
    }


def written(match: StoredMatch, analysis: Analysis) -> str:
    """Write an analysis as the file that is kept."""
    content = {
        "seed": match.result.seed.hex(),
        "effort": analysis.effort._asdict(),
        "assessments": [each._asdict() for each in analysis.assessments],
    }
    return json.dumps(content, separators=(",", ":")) + "\n"


def _read(content: Any) -> Analysis:
    """Read an analysis from JSON, whose values differ in type, hence Any."""
    effort = Effort(**content["effort"])
    assessments = tuple(
        Assessment(**{**each, "chances": tuple(map(float, each["chances"]))})
        for each in content["assessments"]
    )
    return Analysis(effort, assessments)
