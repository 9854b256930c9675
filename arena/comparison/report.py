"""The result of a comparison, as sentences and as plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, inf
from typing import Any

from arena.comparison.bots import ComparedBot
from arena.comparison.confidence import ConfidenceSequence, Verdict
from arena.comparison.plan import (
    FIRST_OPPONENT,
    MATCHES_PER_DEAL,
    NEW,
    OLD,
    ComparedIndex,
    ComparisonPlan,
    Saving,
    saving_of,
)
from arena.comparison.run import ComparedDeal, ComparisonFault
from arena.secret import Secret
from arena.text import percent, plain, quantity
from leaderboard.result import seat_ending_words

_MIN_DEALS = 10
"""The number of deals after which the remaining number is estimated."""
_NOTABLE_SHARE = 0.01
"""A smaller share of saved matches is reported as none."""


@dataclass(slots=True, repr=False)
class ComparisonReport:
    """The result of a comparison so far."""

    plan: ComparisonPlan
    bots: tuple[ComparedBot, ...]
    """The new version, the old one, and the opponents."""
    sequence: ConfidenceSequence
    secret: Secret
    """The source of all deals."""
    deals: list[ComparedDeal] = field(default_factory=list)

    def add(self, deal: ComparedDeal) -> None:
        """Count a deal."""
        self.deals.append(deal)
        self.sequence.add(float(deal.difference))

    @property
    def is_identical(self) -> bool:
        """Whether there is nothing to compare."""
        return self.bots[NEW].is_same_as(self.bots[OLD])

    @property
    def verdict(self) -> Verdict:
        """The verdict so far."""
        return Verdict.NO_DIFFERENCE if self.is_identical else self.sequence.verdict

    @property
    def _matches(self) -> int:
        return len(self.deals) * MATCHES_PER_DEAL

    def _expected_more(self) -> float:
        return self.sequence.expected_more() if len(self.deals) >= _MIN_DEALS else inf

    def _faults(self) -> dict[ComparedIndex, list[ComparisonFault]]:
        faults: dict[ComparedIndex, list[ComparisonFault]] = {}
        for deal in self.deals:
            for fault in deal.faults:
                faults.setdefault(fault.bot, []).append(fault)
        return faults

    def _label(self, bot: ComparedIndex) -> str:
        return {NEW: "new", OLD: "old"}.get(bot) or self.bots[bot].name

    def _saving(self) -> Saving:
        return saving_of([deal.differences for deal in self.deals])

    def line(self) -> str:
        """Describe the state of the comparison in one line."""
        sequence = self.sequence
        low, high = sequence.interval()
        parts = [
            f"new - old {sequence.mean:+.3f}",
            f"{percent(1 - sequence.error)} interval {low:+.3f} to {high:+.3f}",
            quantity(len(self.deals), "deal"),
        ]
        left = self._expected_more()
        parts.append("more to come" if left == inf else f"about {_rounded(left)} more")
        faults = sum(map(len, self._faults().values()))
        return "  ".join(parts + ([f"{faults} faults"] if faults else []))

    def verdict_sentence(self) -> str:
        """State the verdict in a sentence."""
        if self.is_identical:
            new, old = self.bots[:2]
            return (
                f"No difference: {new.title} and {old.title} are identical, so there is "
                "nothing to compare."
            )
        sequence = self.sequence
        sentence = {
            Verdict.BETTER: f"Better: new gets {sequence.mean:.3f} points per match more than old",
            Verdict.WORSE: f"Worse: new gets {-sequence.mean:.3f} points per match less than old",
            Verdict.NO_DIFFERENCE: "No difference worth having: new and old are less than "
            f"{sequence.margin:g} points per match apart",
            Verdict.UNKNOWN: f"Not known yet: so far new - old is {sequence.mean:+.3f} points "
            "per match",
        }[sequence.verdict]
        low, high = sequence.interval()
        confidence = percent(1 - sequence.error)
        sentence += f"; new - old is between {low:+.3f} and {high:+.3f} ({confidence} confidence)."
        left = self._expected_more()
        if 0 < left < inf:
            sentence += f" About {_rounded(left)} more deals should decide it."
        return sentence

    def method_sentence(self) -> str:
        """Describe what was played and what points mean."""
        plan = self.plan
        where = (
            f"{quantity(len(self.deals), 'deal')} of {plan.game.title} at tables of {plan.seats}"
        )
        count = f"{self._matches:,} matches in all"
        if plan.is_direct:
            each = plan.seats // 2
            who = "one seat each" if each == 1 else f"{each} of each version"
            return (
                f"Measured: {where}, {who}, every deal twice with the seats swapped; {count}. "
                "Points are the share of the other version's seats that a seat finishes ahead of: "
                "+1 means always ahead, 0 means even."
            )
        others = ", ".join(self.bots[bot].name for bot in plan.entrants if bot >= FIRST_OPPONENT)
        return (
            f"Measured: {where} against {others}, every deal with new and with old in the same "
            f"seat, drawn for each deal, and with the same cards; {count}. "
            "Points are the share of its opponents that a bot finishes ahead of."
        )

    def savings_sentence(self) -> str:
        """Describe how many matches were saved by equal deals and seats; needs two deals."""
        saving = self._saving()
        saved = "no" if saving.share < _NOTABLE_SHARE else f"{100 * saving.share:.0f} % of the"
        return (
            f"Playing the same deals in the same seats saved {saved} matches. The variance of a "
            f"deal's difference is {saving.together:.4f}; with a separate deal for every match it "
            f"would be {saving.apart:.4f}, a ratio of {1 - saving.share:.2f}."
        )

    def fault_sentences(self) -> list[str]:
        """Describe the faults of each bot: how many, and the first one."""
        return [
            f"{self._label(bot)} faulted {quantity(len(faults), 'time')} in {self._matches:,} "
            f"matches, first: {seat_ending_words(faults[0].ending)}: {faults[0].sentence}"
            for bot, faults in sorted(self._faults().items())
        ]

    def __str__(self) -> str:
        """Name the bots, and state the verdict, what was played and what went wrong."""
        new, old, *_ = self.bots
        lines = [f"new: {new.title}", f"old: {old.title}", self.verdict_sentence()]
        if self.deals:
            lines.append(f"{self.method_sentence()} {str(self.secret).capitalize()}.")
        if len(self.deals) > 1:
            lines.append(self.savings_sentence())
        return "\n".join(map(plain, lines))

    __repr__ = __str__

    def document(self) -> dict[str, Any]:
        """Return the result as plain values."""
        sequence, plan = self.sequence, self.plan
        low, high = sequence.interval()
        left = self._expected_more()
        saving = self._saving() if len(self.deals) > 1 else None
        return {
            "verdict": self.verdict.value,
            "identical": self.is_identical,
            "new": self.bots[NEW].title,
            "old": self.bots[OLD].title,
            "opponents": [self.bots[bot].title for bot in plan.entrants if bot >= FIRST_OPPONENT],
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


def _rounded(number: float) -> str:
    """Write a number with two significant digits."""
    return f"{int(float(f'{number:.2g}')):,}"
