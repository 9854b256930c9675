"""Who plays with whom: the side of each seat, for every number of seats."""

from __future__ import annotations

from collections.abc import Callable

from arena.errors import BadLeague
from arena.games.registry import game_named

Sides = Callable[[int], tuple[int, ...]]
"""Returns the side of each seat for a number of seats."""


def sides_of(game_id: str, parameters: str) -> Sides:
    """Return the sides of a variant; its parameters are the text that the game writes."""
    game = game_named(game_id)
    read = game.parameters_form.read(parameters)
    by_seats = {seats: game.sides(seats, read) for seats in game.seats_for(read)}

    def sides(seats: int) -> tuple[int, ...]:
        # A file from someone else may have a match of thousands of seats.
        if seats not in by_seats:
            raise BadLeague(f"a match of {game_id} has {seats} seats, which it cannot have")
        return by_seats[seats]

    return sides
