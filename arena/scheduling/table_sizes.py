"""The number and sizes of a round's tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from arena.errors import BadInput
from arena.text import quantity


def table_sizes(entrants: int, *, wanted: int, allowed: Collection[int]) -> tuple[int, ...]:
    """Return the sizes of a round's tables, largest first; entrants without a seat have a bye.

    As few entrants as possible have a bye. To achieve that, tables may have one seat more or less
    than wanted where the game allows it, but as few tables as possible do, and no two tables of a
    round differ by more than one. Tables of two keep their size: an odd field has one bye.
    """
    if wanted not in allowed or wanted < 2:
        sizes = ", ".join(map(str, sorted(allowed)))
        raise BadInput(f"tables of {wanted} are not possible here: choose one of {sizes}")
    near = {2} if wanted == 2 else {wanted - 1, wanted, wanted + 1}.intersection(allowed) - {1}
    for seated in range(entrants, min(near) - 1, -1):
        splits = [_split(seated, tables) for tables in range(1, seated // min(near) + 1)]
        fitting = [sizes for sizes in splits if near.issuperset(sizes)]
        if fitting:
            return max(fitting, key=lambda sizes: (sizes.count(wanted) - len(sizes), sizes))
    raise BadInput(f"{entrants} entrants are too few for tables of {wanted}")


def describe_tables(entrants: int, sizes: Sequence[int]) -> str:
    """Say what tables a round has, and how many entrants rest."""
    counts = sorted(Counter(sizes).items(), reverse=True)
    tables = " and ".join(f"{quantity(count, 'table')} of {size}" for size, count in counts)
    resting = entrants - sum(sizes)
    rest = f"; {quantity(resting, 'bot')} {'rests' if resting == 1 else 'rest'}, in turn"
    return f"{tables} in each round{rest if resting else ''}"


def _split(seated: int, tables: int) -> tuple[int, ...]:
    size, larger = divmod(seated, tables)
    return (size + 1,) * larger + (size,) * (tables - larger)
