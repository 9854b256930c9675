"""The tie rates that a league is rated with: how often neighbours in the final order tie.

TrueSkill needs this probability for every kind of table. A game knows its rates as they were last
measured; the league's file has the rates that its ratings were computed with. So a file stays
correct when an arena with better figures opens it, until `leaderboard.ratings.rerate` adopts them.
"""

from __future__ import annotations

from collections.abc import Mapping

from arena.errors import ArenaError, BadLeague
from arena.games.registry import game_named
from leaderboard.file.journal import record
from leaderboard.store import Reader, Writer

TieRates = Mapping[int, float]
"""By number of seats."""


def measured_tie_rates(game_id: str, parameters: str) -> TieRates:
    """Return the rates of a variant as its game knows them."""
    game = game_named(game_id)
    of_variant = game.parameters_form.read(parameters)
    return {seats: game.tie_rate(seats, of_variant) for seats in game.seats_for(of_variant)}


def tie_rates_of(reader: Reader, variant: int) -> TieRates:
    """Return the rates that a variant is rated with."""
    rates = dict(reader.rows("SELECT seats, rate FROM tie_rates WHERE variant = ?", [variant]))
    for seats, rate in rates.items():
        if not 0 < rate < 1:
            raise BadLeague(f"variant {variant} has the tie rate {rate} at {seats} seats")
    return rates


def add_tie_rates(writer: Writer, variant: int, rates: TieRates) -> None:
    """Store the rates of a variant, within a transaction; keep existing ones."""
    writer.write_many(
        "INSERT OR IGNORE INTO tie_rates VALUES (?, ?, ?)",
        [(variant, seats, rate) for seats, rate in rates.items()],
    )
    record(writer, "tie_rates", {"variant": variant})


def variants_with_old_rates(reader: Reader) -> list[str]:
    """Name the variants that are rated with other rates than their game knows."""
    rows = list(reader.rows("SELECT id, game, name, parameters FROM variants ORDER BY id"))
    found = []
    for variant, game_id, name, parameters in rows:
        try:
            measured = measured_tie_rates(game_id, parameters)
        except ArenaError:
            continue  # `verify` reports a variant that cannot be played
        if tie_rates_of(reader, variant) != measured:
            found.append(f"{game_id} {name}")
    return found
