"""Keep the bots of one author apart: they never sit at one table of an event.

Two bots have the same author if their bot.toml files name the same one, whatever the case of the
letters. Versions of one bot count as the same author, whether or not they name one: whoever submits
a name keeps it. A bot without an author may meet every other bot. Partners of a team game sit at
one table, so they never have the same author either.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from arena.errors import BadInput
from arena.scheduling.groups import Groups
from arena.scheduling.table_sizes import table_sizes
from arena.tournament.spec import Spec
from leaderboard.bots import Version


def groups_of(spec: Spec, field: Sequence[Version]) -> Groups:
    """Return the group of each entrant; empty if the event does not keep authors apart."""
    if not spec.keep_authors_apart:
        return ()
    first_with: dict[tuple[str, str], int] = {}
    groups: list[int] = []
    for number, version in enumerate(field):
        keys = [("bot", version.bot), *_author_key(version)]
        known = {groups[first_with[key]] for key in keys if key in first_with}
        group = min(known, default=number)
        # A bot may connect two groups: its earlier version has one author, it has another.
        groups = [group if other in known else other for other in groups]
        groups.append(group)
        for key in keys:
            first_with.setdefault(key, number)
    return groups


def _author_key(version: Version) -> list[tuple[str, str]]:
    return [("author", version.author.casefold())] if version.author else []


def check_authors(spec: Spec, field: Sequence[Version]) -> None:
    """Raise an error that names the bots if an author has more of them than there are tables."""
    groups = groups_of(spec, field)
    if not groups:
        return
    sizes = table_sizes(len(field), wanted=spec.table_size(), allowed=spec.allowed_sizes())
    tables = len(sizes)
    members: dict[int, list[Version]] = defaultdict(list)
    for group, version in zip(groups, field, strict=False):
        members[group].append(version)
    largest = max(members.values(), key=len, default=[])
    if len(largest) <= tables:
        return
    author = next((version.author for version in largest if version.author), "one author")
    where = "one table" if tables == 1 else f"{tables} tables"
    raise BadInput(
        f"the bots of {author} cannot be kept apart: {', '.join(map(str, largest))} are "
        f"{len(largest)} for {where}; leave out {len(largest) - tables}, enter more bots of other "
        "authors, or choose smaller tables"
    )
