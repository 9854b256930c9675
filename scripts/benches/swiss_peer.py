"""Pair rounds with py4swiss, by the rules of FIDE's Dutch system.

Runs in a separate environment, where it is installed. Reads one event per line, as JSON, and
answers with the pairs of its next round, the first seat first; a bye is a pair with -1.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from py4swiss.engines.common import PairingError
from py4swiss.engines.dutch.engine import Engine
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes import PlayerCode
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
from py4swiss.trf.sections import PlayerSection, XSection

RESULTS = {0: ResultToken.LOSS, 5: ResultToken.DRAW, 10: ResultToken.WIN}


def next_round(event: dict[str, Any]) -> list[tuple[int, int]] | None:
    """Return the pairs, or None if the rules allow none."""
    players = [
        PlayerSection(
            code=PlayerCode.PLAYER,
            starting_number=number + 1,
            points_times_ten=sum(tenths for _, _, tenths in results),
            rank=number + 1,
            results=[result(*one) for one in results],
        )
        for number, results in enumerate(event["results"])
    ]
    rounds = XSection(number_of_rounds=event["rounds"])
    try:
        pairs = Engine.generate_pairings(ParsedTrf(player_sections=players, x_section=rounds))
    except PairingError:
        return None
    return [(pair.white - 1, pair.black - 1) for pair in pairs]


def result(opponent: int, seat: int, tenths: int) -> RoundResult:
    """Convert one result of an entrant: its opponent, its seat, tenths of a point."""
    if opponent < 0:
        bye = ResultToken.PAIRING_ALLOCATED_BYE
        return RoundResult(id=0, color=ColorToken.BYE_OR_NOT_PAIRED, result=bye)
    color = ColorToken.BLACK if seat else ColorToken.WHITE
    return RoundResult(id=opponent + 1, color=color, result=RESULTS[tenths])


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(next_round(json.loads(line))), flush=True)
