"""What came of a comparison, in words and as plain values?"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, inf
from typing import Any

from arena.compare.bots import Bot
from arena.compare.plan import FIRST_OPPONENT, NEW, OLD, Plan, Saving, saving_of
from arena.compare.playing import Deal, Fault
from arena.compare.sequence import Sequence, Verdict

_EARLY = 10
"""Before so many deals, what is still to come is anybody's guess."""
_MARKED = 0.01
"""A smaller share of the matches is not called a saving."""


@dataclass(slots=True)
class Account:
    """All that is known of a comparison so far."""

    plan: Plan
    bots: tuple[Bot, ...]
    """The new version, the old one, and the opponents."""
    sequence: Sequence
    deals: list[Deal] = field(default_factory=list)

    def add(self, deal: Deal) -> None:
        """Count a deal."""
        self.deals.append(deal)
        self.sequence.add(float(deal.difference))

    @property
    def is_identical(self) -> bool:
        """Whether there is nothing to compare."""
        return self.bots[NEW].is_same_as(self.bots[OLD])

    @property
    def verdict(self) -> Verdict:
        """What is known by now."""
        return Verdict.NO_DIFFERENCE if self.is_identical else self.sequence.verdict

    @property
    def _matches(self) -> int:
        return len(self.deals) * len(self.plan.seatings)

    def _expected(self) -> float:
        return self.sequence.expected() if len(self.deals) >= _EARLY else inf

    def _faults(self) -> dict[int, list[Fault]]:
        faults: dict[int, list[Fault]] = {}
        for deal in self.deals:
            for fault in deal.faults:
                faults.setdefault(fault.bot, []).append(fault)
        return faults

    def _label(self, bot: int) -> str:
        return {NEW: "new", OLD: "old"}.get(bot) or self.bots[bot].name

    def _saving(self) -> Saving:
        return saving_of([deal.differences for deal in self.deals])

    def line(self) -> str:
        """Say in one line how it stands."""
        sequence = self.sequence
        low, high = sequence.interval()
        parts = [
            f"new - old {sequence.mean:+.3f}",
            f"{_percent(1 - sequence.error)} interval {low:+.3f} to {high:+.3f}",
            _count(len(self.deals), "deal"),
        ]
        left = self._expected()
        parts.append("more to come" if left == inf else f"about {_rounded(left)} more")
        faults = sum(map(len, self._faults().values()))
        return "  ".join(parts + ([f"{faults} faults"] if faults else []))

    def verdict_told(self) -> str:
        """Say what the verdict is, in a sentence."""
        if self.is_identical:
            new, old = self.bots[:2]
            return (
                f"No difference: {new.title} and {old.title} are the same to the last byte, so "
                "there is nothing to compare."
            )
        sequence = self.sequence
        told = {
            Verdict.BETTER: f"Better: new gets {sequence.mean:.3f} points a match more than old",
            Verdict.WORSE: f"Worse: new gets {-sequence.mean:.3f} points a match less than old",
            Verdict.NO_DIFFERENCE: "No difference worth having: new and old are less than "
            f"{sequence.margin:g} points a match apart",
            Verdict.UNKNOWN: f"Not known yet: so far new - old is {sequence.mean:+.3f} points a "
            "match",
        }[sequence.verdict]
        low, high = sequence.interval()
        sure = _percent(1 - sequence.error)
        told = f"{told}; new - old is between {low:+.3f} and {high:+.3f}, {sure} sure."
        left = self._expected()
        if 0 < left < inf:
            told += f" About {_rounded(left)} more deals would tell."
        return told

    def measured(self) -> str:
        """Say what was measured, in sentences."""
        plan = self.plan
        where = f"{_count(len(self.deals), 'deal')} of {plan.game.title} at tables of {plan.seats}"
        count = f"{self._matches:,} matches in all"
        if plan.is_direct:
            each = plan.seats // 2
            who = "one against the other" if each == 1 else f"{each} of each version"
            return (
                f"Measured: {where}, {who}, every deal twice, the second time in each other's "
                f"seats; {count}. Points are the share of the other version's seats that a seat "
                "leaves behind: +1 is always ahead when they meet, 0 is even."
            )
        others = ", ".join(self.bots[bot].name for bot in plan.players if bot >= FIRST_OPPONENT)
        return (
            f"Measured: {where} against {others}, every deal with new and with old in the same "
            f"seat and with the same cards, {plan.turns} seats in turn; {count}. Points are the "
            "share of its opponents that a bot leaves behind."
        )

    def saved(self) -> str:
        """Say what the same deals in the same seats have saved; there must be two or more."""
        saving = self._saving()
        told = "no" if saving.share < _MARKED else f"{100 * saving.share:.0f} % of the"
        return (
            f"Same deals, same seats: that saved {told} matches. The variance of a deal's "
            f"difference is {saving.together:.4f}; with a deal of its own for every match it would "
            f"be {saving.apart:.4f}, a ratio of {1 - saving.share:.2f}."
        )

    def faults_told(self) -> list[str]:
        """Say who did something wrong, how often, and what it was the first time."""
        return [
            f"{self._label(bot)} faulted {_count(len(faults), 'time')} in {self._matches:,} "
            f"matches, first: {faults[0].ending}: {faults[0].sentence}"
            for bot, faults in sorted(self._faults().items())
        ]

    def document(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        sequence, plan = self.sequence, self.plan
        low, high = sequence.interval()
        left = self._expected()
        saving = self._saving() if len(self.deals) > 1 else None
        return {
            "verdict": self.verdict.value,
            "identical": self.is_identical,
            "new": self.bots[NEW].title,
            "old": self.bots[OLD].title,
            "opponents": [self.bots[bot].title for bot in plan.players if bot >= FIRST_OPPONENT],
            "game": plan.game.id,
            "parameters": plan.game.settings(plan.parameters),
            "seats": plan.seats,
            "error": sequence.error,
            "margin": sequence.margin,
            "deals": len(self.deals),
            "matches": self._matches,
            "difference": sequence.mean,
            "low": low,
            "high": high,
            "deals_expected": None if left == inf else ceil(left),
            "variance": saving and saving.together,
            "variance_apart": saving and saving.apart,
            "matches_saved": saving and saving.share,
            "faults": [
                {
                    "bot": self._label(bot),
                    "times": len(faults),
                    "ending": faults[0].ending,
                    "sentence": faults[0].sentence,
                }
                for bot, faults in sorted(self._faults().items())
            ],
        }


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}" + ("" if number == 1 else "s")


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _rounded(number: float) -> str:
    """Write a number without digits that nobody can know."""
    return f"{int(float(f'{number:.2g}')):,}"
