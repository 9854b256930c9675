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
    saving_of,
)
from arena.comparison.run import ComparedDeal, ComparisonFault
from arena.secret import Secret
from arena.text import clock_time, percent, plain, quantity
from arena.workers.pace import Pace
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
    pace: Pace = field(default_factory=Pace)

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

    def line(self) -> str:
        """Describe the state of the comparison in one line, the most important first."""
        sequence = self.sequence
        parts = ["no deal is over yet"]
        if self.deals:
            low, high = sequence.interval()
            parts = [
                f"new - old {sequence.mean:+.3f}",
                f"{percent(1 - sequence.error)} interval {low:+.3f} to {high:+.3f}",
                quantity(len(self.deals), "deal"),
            ]
        left = self._expected_more()
        if left < inf:
            left_s = self.pace.left_s(left * MATCHES_PER_DEAL)
            about = "" if left_s is None else f", {clock_time(left_s)} left"
            parts.append(f"about {_rounded(left)} more{about}")
        faults = sum(map(len, self._faults().values()))
        parts += [quantity(faults, "fault")] * bool(faults)
        return "  ".join([*parts, *self.pace.words()])

    def verdict_sentence(self) -> str:
        """State the verdict in a sentence."""
        if self.is_identical:
            new, old = self.bots[:2]
            return (
                f"No difference: {new.title} and {old.title} are identical, so there is "
                "nothing to compare."
            )
        if not self.deals:
            return "Not known yet: no deal is over."
        sequence = self.sequence
        low, high = sequence.interval()
        certain = {
            Verdict.BETTER: f"Better by at least {max(low, 0.0):.3f} points a match",
            Verdict.WORSE: f"Worse by at least {max(-high, 0.0):.3f} points a match",
            Verdict.NO_DIFFERENCE: "No difference worth having: less than "
            f"{sequence.margin:g} points a match",
            Verdict.UNKNOWN: "Not known yet: new - old is between "
            f"{low:+.3f} and {high:+.3f} points a match",
        }[sequence.verdict]
        mean = -sequence.mean if sequence.verdict is Verdict.WORSE else sequence.mean
        sign = "" if sequence.verdict in (Verdict.BETTER, Verdict.WORSE) else "+"
        stop = f"({percent(1 - sequence.error)}, whenever you stop)"
        sentence = f"{certain} {stop}; so far {mean:{sign}.3f}."
        left = self._expected_more()
        if 0 < left < inf:
            sentence += f" About {_rounded(left)} more deals should decide it."
        return sentence

    def method_sentence(self) -> str:
        """Describe what was played."""
        plan = self.plan
        where = (
            f"{quantity(len(self.deals), 'deal')} of {plan.game.title} at tables of {plan.seats}"
        )
        count = f"{self._matches:,} matches in all"
        if plan.is_direct:
            each = plan.seats // 2
            who = "one seat each" if each == 1 else f"{each} of each version"
            return f"Measured: {where}, {who}, every deal twice with the seats swapped; {count}."
        others = ", ".join(self.bots[bot].name for bot in plan.entrants if bot >= FIRST_OPPONENT)
        return (
            f"Measured: {where} against {others}, every deal with new and with old in the same "
            f"seat, drawn for each deal, and with the same cards; {count}."
        )

    def explanation(self) -> list[str]:
        """Say what points and certainty mean, and what equal deals saved; nothing before a deal."""
        if not self.deals:
            return []
        sequence = self.sequence
        low, high = sequence.interval()
        whose = "of the other version's seats" if self.plan.is_direct else "of its opponents"
        lines = [
            f"Points are the share {whose} that a seat finishes ahead of; new - old is +1 if it is "
            "always ahead, and 0 if they are even.",
            f"new - old is between {low:+.3f} and {high:+.3f}: in at most "
            f"{percent(sequence.error)} of comparisons, the truth is ever outside. The mean so far "
            "is a poorer guide: lucky deals end a comparison early, so it tends to be too far from "
            "0.",
        ]
        if len(self.deals) > 1:
            saving = saving_of([deal.differences for deal in self.deals])
            saved = "no" if saving.share < _NOTABLE_SHARE else f"{100 * saving.share:.0f} % of the"
            lines.append(
                f"Playing the same deals in the same seats saved {saved} matches. The variance of "
                f"a deal's difference is {saving.together:.4f}; with a separate deal for every "
                f"match it would be {saving.apart:.4f}, a ratio of {1 - saving.share:.2f}."
            )
        return lines

    def fault_sentences(self) -> list[str]:
        """Describe the faults of each bot: how many, and the first one."""
        return [
            f"{self._label(bot)} faulted {quantity(len(faults), 'time')} in {self._matches:,} "
            f"matches, first: {seat_ending_words(faults[0].ending)}: {faults[0].sentence}"
            for bot, faults in sorted(self._faults().items())
        ]

    def __str__(self) -> str:
        """Name the bots, and state the verdict and what was played."""
        new, old, *_ = self.bots
        lines = [f"new: {new.title}", f"old: {old.title}", self.verdict_sentence()]
        if self.deals:
            lines.append(f"{self.method_sentence()} {str(self.secret).capitalize()}.")
        return "\n".join(map(plain, lines))

    __repr__ = __str__

    def markdown(self) -> str:
        """Return the result as a table in Markdown, such as a pull request shows."""
        sequence, verdict = self.sequence, self.verdict.value.capitalize()
        low, high = sequence.interval()
        faults = {self._label(bot): len(found) for bot, found in self._faults().items()}
        against = [self.bots[bot].name for bot in self.plan.entrants if bot >= FIRST_OPPONENT]
        rows = {
            "new": self.bots[NEW].title,
            "old": self.bots[OLD].title,
            "game": f"{self.plan.game.title}, tables of {self.plan.seats}",
            "against": ", ".join(against) or "each other",
            "difference (points per match)": f"{sequence.mean:+.3f}" if self.deals else "",
            f"{percent(1 - sequence.error)} interval": f"{low:+.3f} to {high:+.3f}",
            "deals": f"{len(self.deals):,} ({self._matches:,} matches)",
            "faults": ", ".join(f"{bot} {count}" for bot, count in faults.items()) or "0",
        }
        lines = [f"### Arena: {verdict}", "", plain(self.verdict_sentence()), "", "| | |"]
        lines += ["| --- | --- |", *(f"| {name} | {_cell(text)} |" for name, text in rows.items())]
        lines += ["", *(f"- {_cell(sentence)}" for sentence in self.fault_sentences())]
        return "\n".join(lines).rstrip() + "\n"

    def document(self) -> dict[str, Any]:
        """Return the result as plain values."""
        sequence, plan = self.sequence, self.plan
        low, high = sequence.interval()
        left = self._expected_more()
        saving = None
        if len(self.deals) > 1:
            saving = saving_of([deal.differences for deal in self.deals])
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


def _cell(text: str) -> str:
    """Write a text that may be anyone's, so that it stays one cell and no markup."""
    return "".join(f"\\{each}" if each in "\\`*_[]<>|#@" else each for each in plain(text))


def _rounded(number: float) -> str:
    """Write a number with two significant digits."""
    return f"{int(float(f'{number:.2g}')):,}"
