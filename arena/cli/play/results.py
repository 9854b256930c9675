"""Print the results of matches, or return them for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.api.replay import Replay
from arena.cli.terminal.columns import headings_of
from arena.cli.terminal.output import say
from arena.cli.terminal.tables import show_rows
from arena.games.registry import game_named
from arena.records import Fault, Record, SeatEnding, events_of
from arena.replays.explanation import explain_end
from arena.text import plain
from leaderboard.result import is_win

_PRINTED_LINES = 20
"""Lines of a faulty bot's output that are shown."""


def print_faults(replays: Sequence[Replay], *, with_output: bool) -> None:
    """Print each kind of fault once, with the last lines of the bot's output unless shown."""
    kinds: dict[tuple[str, str], list[Fault]] = {}
    for replay in replays:
        for fault in replay.faults:
            name = replay.players[fault.seat]
            kinds.setdefault((name, fault.ending.value), []).append(fault)
    for (name, ending), faults in kinds.items():
        how_often = f" in {len(faults)} matches, first" if len(faults) > 1 else ""
        say(f"{name}: {ending}{how_often}: {plain(faults[0].sentence)}", err=True)
        if not with_output:
            continue
        for line in faults[0].printed.decode(errors="replace").splitlines()[-_PRINTED_LINES:]:
            say(f"    {plain(line)}", err=True)


def print_standings(replays: Sequence[Replay]) -> None:
    """Print how each player did in all matches."""
    records = [replay.record for replay in replays]
    game = game_named(records[0].game_id)
    rows: list[dict[str, Any]] = []
    parameters = game.parameters_form.read(records[0].parameters)
    sides = game.sides(len(records[0].entrants), parameters)
    for seat, entrant in enumerate(records[0].entrants):
        places = [record.places[seat] for record in records]
        rows.append(
            {
                "mean_place": sum(places) / len(places),
                "wins": sum(is_win(seat, record.places, sides) for record in records),
                "faults": sum(
                    record.ending_of(seat) is not SeatEnding.PLAYED for record in records
                ),
                "mean_score": sum(record.outcome.scores[seat] for record in records) / len(places),
                "player": entrant.name,
            }
        )
    rows.sort(key=lambda row: (row["mean_place"], -row["wins"], row["player"]))
    headings = headings_of("player", "mean_place", "wins", "faults")
    show_rows(rows, headings | {"mean_score": f"mean {game.score_word}"})


def match_document(record: Record) -> dict[str, Any]:
    """Return a match as plain values."""
    game = game_named(record.game_id)
    notes = dict(record.notes)
    printed = {number: content.decode(errors="replace") for number, content in record.outputs}
    return {
        "game": game.id,
        "parameters": record.parameters,
        "cage": record.cage,
        "seed": record.seed.hex(),
        "players": [entrant.name for entrant in record.entrants],
        "decisions": [
            {
                "seat": decision.seat,
                "action": game.action_text(decision.action),
                "index": decision.action,
                "how": decision.how.value,
                "time_us": decision.time_us,
                "printed": printed.get(number),
                "note": notes.get(number),
            }
            for number, decision in enumerate(record.decisions)
        ],
        "events": [game.event_form.show(event) for event in events_of(record)],
        "faults": [
            {"seat": fault.seat, "ending": fault.ending.code, "sentence": fault.sentence}
            for fault in record.faults
        ],
        "outcome": {
            "places": record.places,
            "scores": record.outcome.scores,
            "ending": record.outcome.ending.code,
        },
        "explanation": explain_end(record)._asdict(),
    }
