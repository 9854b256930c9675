"""The next round of a Swiss event, and the number of rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import permutations
from operator import getitem, itemgetter
from typing import NamedTuple

from arena.errors import BadInput
from arena.games.randomness import Seed
from arena.indices import EntrantIndex, Seat
from arena.scheduling.groups import Groups, check_groups
from arena.scheduling.pairing import Bye, Pairing
from arena.scheduling.swiss.history import Entry, History, rank_entrants
from arena.scheduling.swiss.tables import seat_together
from arena.scheduling.table_sizes import table_sizes


class Round(NamedTuple):
    """The pairings and byes of a round."""

    pairings: tuple[Pairing, ...]
    """The table of the leaders first."""
    byes: tuple[Bye, ...]


def default_rounds(entrants: int, seats: int) -> int:
    """Return the default number of rounds at tables of `seats`.

    This is the number of rounds after which only one entrant can have won all its tables, plus two
    to separate the others. In simulated fields of 16 to 200 these two improve the order by 0.05 on
    average (Spearman's rank correlation with the true order), and two more by 0.02. It is never
    more than the rounds that all entrants need to meet each other.
    """
    rounds = 2
    while seats ** (rounds - 2) < entrants:
        rounds += 1
    seated = max(entrants - entrants % seats, seats)
    rounds_to_meet_all = -(-entrants * (entrants - 1) // (seated * (seats - 1)))
    return max(1, min(rounds, rounds_to_meet_all))


def swiss_round(
    history: History,
    *,
    entrants: int,
    seats: int,
    allowed_sizes: Collection[int],
    seed: Seed,
    groups: Groups = (),
) -> Round:
    """Seat all entrants for the next round.

    `entrants` is the size of the field, `seats` the wanted table size, and `seed` the event's,
    which decides among equals. If too few
    entrants are left to fill a table, all of them have a bye. Entrants of one of the `groups` never
    meet; if withdrawals leave too few tables for a group, some of it have a bye.
    """
    if not history.withdrawn:
        whole = table_sizes(entrants, wanted=seats, allowed=allowed_sizes)
        check_groups(groups, entrants=entrants, tables=len(whole))
    entries = rank_entrants(history, entrants=entrants, seed=seed, groups=groups)
    sizes, idle = _sizes_for(entries, seats, allowed_sizes, groups)
    seated = [entry for entry in entries if entry not in idle]
    idle += _choose_byes(seated, len(seated) - sum(sizes))
    tables = seat_together([entry for entry in seated if entry not in idle], sizes)
    earlier = [played.pairing for played in history.played]
    rounds = [pairing.round for pairing in earlier] + [bye.round for bye in history.byes]
    round_number = 1 + max(rounds, default=0)
    first_pairing = 1 + max((pairing.number for pairing in earlier), default=-1)
    return Round(
        tuple(
            Pairing(
                round_number,
                first_pairing + number,
                _seating(table, first=Seat(number % len(table))),
            )
            for number, table in enumerate(tables)
        ),
        tuple(Bye(round_number, entry.entrant) for entry in idle),
    )


def _sizes_for(
    entries: Sequence[Entry], seats: int, allowed: Collection[int], groups: Groups
) -> tuple[tuple[int, ...], list[Entry]]:
    """Return the sizes of the tables, and those who sit out because their group is too large."""
    seated, idle = list(entries), list[Entry]()
    while True:
        try:
            sizes = table_sizes(len(seated), wanted=seats, allowed=allowed)
        except BadInput:
            return (), idle
        counts = Counter(groups[entry.entrant] for entry in seated if groups)
        group, count = max(counts.items(), key=itemgetter(1), default=(0, 0))
        if count <= len(sizes):
            return sizes, idle
        idle += _choose_byes([entry for entry in seated if groups[entry.entrant] == group], 1)
        seated.remove(idle[-1])


def _choose_byes(entries: Sequence[Entry], count: int) -> list[Entry]:
    """Choose entrants for byes: those with the fewest byes, then the lowest scores and ranks."""
    ranks = range(len(entries))
    lowest_first = sorted(ranks, key=lambda rank: (entries[rank].byes, entries[rank].score, -rank))
    return [entries[rank] for rank in lowest_first[:count]]


def _seat_penalty(entry: Entry, seat: Seat) -> int:
    """Return the penalty of a seat that an entrant had often, last time, or twice running.

    The third time running is worse than any usual imbalance.
    """
    last, last_but_one = [None, None, *entry.seats][:-3:-1]
    running = (last == seat) + 6 * (last == last_but_one == seat)
    return 2 * entry.seats.count(seat) + running


def _seating(table: Sequence[Entry], *, first: Seat) -> tuple[EntrantIndex, ...]:
    """Return the entrants of a table, listed by rank, in the order of their seats.

    A pairing plays every deal in all rotations, so this only decides which rotation comes first.
    Even so, no entrant starts in one seat much more often than in another. The sum of penalties is
    least; among such orders, higher ranks get smaller penalties. Where all penalties are equal,
    entrants sit by rank, from the seat `first` on.
    """
    size = len(table)
    penalties = [[_seat_penalty(entry, Seat(seat)) for seat in range(size)] for entry in table]
    base = 1 + max(map(max, penalties))
    weighed = [
        [value * (base**size + base ** (size - 1 - rank)) for value in row]
        for rank, row in enumerate(penalties)
    ]
    from_first = [(first + seat) % size for seat in range(size)]
    best = min(permutations(from_first), key=lambda seats: sum(map(getitem, weighed, seats)))
    by_seat = dict(zip(best, table, strict=True))
    return tuple(by_seat[seat].entrant for seat in range(size))
