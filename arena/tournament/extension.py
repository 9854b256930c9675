"""Extend an event that is over by more deals or latecomers.

The secret of an event that is over is known, so further matches need another one. An extension is
therefore a separate event with the same settings, field and rules, whose standings count the
matches of both. Each is stored, rated and verified separately.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from arena.errors import BadInput
from arena.tournament.setup import spec_of
from arena.tournament.spec import Kind, Spec
from leaderboard.bots import version_with_id
from leaderboard.events import Event, all_events, field_of
from leaderboard.store import Reader

_EXTENSIBLE = (Kind.ROUND_ROBIN, Kind.SWISS, Kind.LADDER)


def extension_of(
    reader: Reader, event: Event, *, bots: Sequence[str] = (), deals: int | None = None
) -> Spec:
    """Return the spec of an extension with further bots, or with this many further deals.

    If the event has been extended before, its last extension is continued.
    """
    event = last_extension(reader, event)
    if event.status != "finished":
        raise BadInput(f"{event.name} is not over: continue it with `arena event resume`")
    spec = spec_of(event)
    if spec.kind not in _EXTENSIBLE:
        raise BadInput(f"a {spec.kind} cannot be extended: run another one")
    if spec.teams and bots:
        raise BadInput(f"{event.name} has fixed teams: no bot can join it")
    field = [str(version_with_id(reader, each.version)) for each in field_of(reader, event.id)]
    return replace(
        spec,
        name=_free_name(reader, event),
        bots=() if spec.teams else (*field, *bots),
        teams=_regroup(field, spec.teams),
        deals=deals or spec.deals,
        seed=None,
        secret=None,
        extends=event.name,
    )


def _regroup(field: Sequence[str], teams: Sequence[str]) -> tuple[str, ...]:
    """Return the teams with the versions that played."""
    versions = iter(field)
    return tuple("+".join(next(versions) for _ in team.split("+")) for team in teams)


def last_extension(reader: Reader, event: Event) -> Event:
    """Return the event that continues this one last; the event itself if none does."""
    while found := extended_by(reader, event):
        event = found
    return event


def extended_by(reader: Reader, event: Event) -> Event | None:
    """Return the event that continues this one."""
    later = (each for each in all_events(reader) if each.id > event.id)
    return next((each for each in later if _extends(each) == event.name), None)


def extended_events(reader: Reader, event: Event) -> list[Event]:
    """Return the events that this one continues, the first one first."""
    earlier = {
        each.name: each
        for each in all_events(reader)
        # A damaged file may say anything; matches of another variant cannot be counted.
        if each.id < event.id and (each.game, each.parameters) == (event.game, event.parameters)
    }
    found: list[Event] = []
    before = earlier.pop(_extends(event) or "", None)
    while before:
        found.insert(0, before)
        before = earlier.pop(_extends(before) or "", None)
    return found


def _extends(event: Event) -> str | None:
    """Return the name of the event that this one continues."""
    try:
        return spec_of(event).extends
    except BadInput:
        return None  # of a damaged file: `arena verify` reports it


def _free_name(reader: Reader, event: Event) -> str:
    """Return the name of the first event of the series with the next free number."""
    taken = {each.name for each in all_events(reader)}
    first = (*extended_events(reader, event), event)[0].name
    number = 2
    while f"{first}-{number}" in taken:
        number += 1
    return f"{first}-{number}"
