"""Fixed teams: partners that play all their matches together.

A schedule of teams is made as if each team were one entrant. Here its tables are filled with the
members of the teams, and results of members become those of their teams. Team 0 has the first
entrants, team 1 the next ones, and so on; all teams have as many members as a side has seats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.indices import EntrantIndex
from arena.scheduling.pairing import Bye, Pairing
from arena.scheduling.swiss.history import History, Played


def team_size(sides: Sequence[int]) -> int:
    """Return the number of members of a team, given the side of each seat."""
    return len(sides) // len(set(sides))


def seat_teams(pairing: Pairing, sides: Sequence[int]) -> Pairing:
    """Return a pairing of teams as one of their members.

    From round to round the members of a team move on by one of its seats, each team at a table by
    one more than the team before it. So a member does not always sit behind the same opponent.
    """
    size = team_size(sides)
    taken = [0] * len(pairing.seating)
    seating = []
    for side in sides:
        member = (taken[side] + pairing.round * side) % size
        taken[side] += 1
        seating.append(EntrantIndex(pairing.seating[side] * size + member))
    return pairing._replace(seating=tuple(seating))


def byes_of_members(byes: Sequence[Bye], size: int) -> Iterator[Bye]:
    """Yield a bye for each member of the teams that have one."""
    for number, team in byes:
        for member in range(size):
            yield Bye(number, EntrantIndex(team * size + member))


def history_of_teams(history: History, sides: Sequence[int]) -> History:
    """Return the history of members as that of their teams; whoever leaves takes the team along."""
    size = team_size(sides)
    first_seats = [sides.index(side) for side in range(len(set(sides)))]
    played = [
        Played(
            pairing._replace(seating=tuple(_team(pairing.seating[s], size) for s in first_seats)),
            tuple(points[seat] for seat in first_seats),
        )
        for pairing, points in history.played
    ]
    byes = [
        Bye(number, _team(member, size)) for number, member in history.byes if member % size == 0
    ]
    withdrawn = frozenset(_team(member, size) for member in history.withdrawn)
    return History(tuple(played), tuple(byes), withdrawn)


def _team(member: EntrantIndex, size: int) -> EntrantIndex:
    return EntrantIndex(member // size)
