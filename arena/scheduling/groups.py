"""Groups of entrants that never meet, such as the bots of one author."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from arena.errors import BadInput

Groups = Sequence[int]
"""The group of each entrant, by index; empty if all may meet. Entrants of a group never meet."""


def check_groups(groups: Groups, *, entrants: int, tables: int) -> None:
    """Raise an error unless all groups can be kept apart at this many tables.

    They can if no group has more entrants than there are tables: deal the entrants out to the
    tables in turn, group by group.
    """
    if groups and len(groups) != entrants:
        raise BadInput(f"{entrants} entrants have {len(groups)} groups: each needs one")
    largest = max(Counter(groups).values(), default=0)
    if largest > tables:
        raise BadInput(f"{largest} entrants cannot be kept apart at {tables} tables")


def others_in_group(groups: Groups, entrants: int) -> list[frozenset[int]]:
    """Return, for each entrant, the entrants that it must not meet."""
    members: dict[int, set[int]] = {}
    for entrant, group in enumerate(groups):
        members.setdefault(group, set()).add(entrant)
    if not groups:
        return [frozenset()] * entrants
    return [frozenset(members[group] - {entrant}) for entrant, group in enumerate(groups)]
