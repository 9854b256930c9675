"""A bot that records every call of its methods: `recorder.py LOG`."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena.sdk import Bot, Result, run


class Recorder(Bot):
    """Plays at random, with its seed."""

    games = ("meow",)

    def log(self, hook: str, **facts: object) -> None:
        """Write a line."""
        with Path(sys.argv[1]).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"hook": hook, **facts}) + "\n")

    def log_match(self, hook: str, **facts: object) -> None:
        """Write a line about the current match, which is identified by its commitment."""
        self.log(hook, match=self.match.commitment.hex(), **facts)

    def match_started(self) -> None:
        """Record the seat and the clock."""
        match = self.match
        match.memory.chosen = 0
        clock = [match.bank_s, match.increment_s, match.counts_cpu]
        self.log_match("match_started", seat=match.seat, seats=match.seats, clock=clock)

    def happened(self, events: Sequence[Any]) -> None:
        """Record the events."""
        show = self.match.game.event_form.show
        self.log_match("happened", events=[show(event) for event in events])

    def choose_many(self, views: Sequence[Any]) -> Sequence[int]:
        """Record the number of views."""
        self.log("choose_many", views=len(views))
        return super().choose_many(views)

    def choose(self, view: Any) -> int:
        """Record the clocks and the choice."""
        memory = self.match.memory
        memory.chosen += 1
        action = self.rng.choice(self.legal_actions(view))
        left_s = [self.time_left_s, self.match.wall_left_s]
        self.log_match("choose", number=memory.chosen, action=action, left_s=left_s)
        return action

    def match_ended(self, result: Result) -> None:
        """Record the result."""
        self.log_match(
            "match_ended",
            places=result.places,
            scores=result.scores,
            sentence=result.sentence,
        )


if __name__ == "__main__":
    run(Recorder)
