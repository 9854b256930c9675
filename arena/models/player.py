"""A language model in a seat: ask it for each decision, and read its move.

Its failures are data, as a bot's are: an answer without a legal move, a refusal, an answer that
takes too long, a budget that is used up. A service that cannot answer is not the model's fault, and
stops the match.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from arena.indices import Seat
from arena.models.answers import Answers
from arena.models.config import PREFIX, ModelConfig
from arena.models.prompting import BadAnswer, Prompts, read_answer
from arena.models.service import ChatMessage, Completion, Service, TooSlow
from arena.records import EVIDENCE_BYTES, Entrant, Fault, SeatEnding, ServiceUse, hash_prefix
from arena.referee.mailbox import Mailbox
from arena.referee.model import Breakage, MatchInPlay, PendingDecision
from arena.referee.players.player import Player
from arena.referee.table import Answer


@dataclass(frozen=True, slots=True)
class AskOptions:
    """How models are asked in one run."""

    answers: Answers | None = None
    """Where answers are kept."""
    replay: bool = False
    """Whether kept answers are used instead of asking again."""
    conversations: Path | None = None
    """A folder for what is said to models and by them: a file for each seat and match."""


NO_OPTIONS = AskOptions()


@dataclass(frozen=True, slots=True)
class ModelSeat:
    """A model that joins a match."""

    config: ModelConfig
    options: AskOptions = NO_OPTIONS

    @property
    def name(self) -> str:
        """What it is called, before the number of the seat."""
        return f"{PREFIX}{self.config.name}"

    def join(self, seat: Seat, names: Sequence[str]) -> ModelPlayer:
        """Take a seat."""
        hash = self.config.hash
        entrant = Entrant(names[seat], hash[:8], hash_prefix(hash))
        return ModelPlayer(entrant, self.config, self.options)


class ModelPlayer(Player):
    """A model that plays, at as many tables at once as there are matches."""

    def __init__(
        self, entrant: Entrant, config: ModelConfig, options: AskOptions = NO_OPTIONS
    ) -> None:
        """Compile the prompts and read the key."""
        self.entrant = entrant
        self._config = config
        self._options = options
        self._prompts = Prompts(config)
        config.secret()

    async def play(self, mailbox: Mailbox) -> Breakage:
        """Answer requests until cancelled; raise `PlatformError` if the service stays away."""
        service = Service(self._config)
        mailbox.is_ready = True
        conversations: dict[int, _Conversation] = {}
        try:
            async with asyncio.TaskGroup() as deciding:
                while True:
                    await mailbox.wait()
                    starts, requests, ends = mailbox.take_all()
                    for match, seat in starts:
                        conversations[match.tag] = _Conversation(self, service, match, seat)
                    for pending in requests:
                        conversation = conversations[pending.match.tag]
                        conversation.task = deciding.create_task(
                            self._decide(mailbox, conversation, pending)
                        )
                    for ended in ends:
                        conversations.pop(ended.match.tag).stop()
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from None
        finally:
            await service.close()

    async def _decide(
        self, mailbox: Mailbox, conversation: _Conversation, pending: PendingDecision
    ) -> None:
        answer = await conversation.decide(pending)
        pending.match.service_use[conversation.seat] = conversation.use
        mailbox.answer(pending, answer)


@dataclass
class _Conversation:
    """What was said in one match to the model in one seat, and by it."""

    player: ModelPlayer
    service: Service
    match: MatchInPlay
    seat: Seat
    use: ServiceUse = field(default_factory=ServiceUse)
    task: asyncio.Task[None] | None = None
    system: str = ""
    turns: list[tuple[str, str]] = field(default_factory=list)
    """The prompts of earlier decisions with the answers that made them."""
    tokens: tuple[int, int] = (0, 0)
    """Of all prompts and of all answers, also those that were kept and cost nothing this time: so
    a repeated run uses up its budget at the same moment."""

    def stop(self) -> None:
        """Ask nothing more: the match is over for the seat, or void."""
        if self.task:
            self.task.cancel()

    async def decide(self, pending: PendingDecision) -> Answer | Fault:
        """Ask for a decision, and again if the answer is no legal move."""
        config, prompts, game = self.player._config, self.player._prompts, self.match.fixture.game
        view = pending.request.view
        self.system = self.system or prompts.system(game, view)
        prompt = prompts.turn(game, view, pending.request.events)
        messages = self._messages(prompt)
        latency_us = 0
        for rethinks in range(config.rethinks + 1):
            if reason := self._used_up():
                return self._fault(SeatEnding.OVER_LIMIT, reason, prompt)
            try:
                completion = await self._complete(messages)
            except TooSlow:
                reason = f"no answer within {config.timeout_s:g} s"
                return self._fault(SeatEnding.OVERRUN, reason, prompt)
            latency_us += completion.latency_us
            if completion.refusal:
                reason = f"it refused to answer: {completion.refusal}"
                return self._fault(SeatEnding.NONSENSE, reason, prompt, completion.text)
            is_last = rethinks == config.rethinks
            try:
                move = read_answer(game, view, completion.text)
            except BadAnswer as error:
                reason = str(error)
                if is_last:
                    return self._fault(SeatEnding.NONSENSE, reason, prompt, completion.text)
            else:
                if is_last or move.action in game.legal_actions(view):
                    self.turns.append((prompt, completion.text))
                    return Answer(
                        move.action,
                        latency_us,
                        prompt.encode()[:EVIDENCE_BYTES],
                        completion.text.encode(errors="replace")[:EVIDENCE_BYTES],
                        note=move.note,
                    )
                reason = game.why_illegal(view, move.action)
            self.use = self.use._replace(rethinks=self.use.rethinks + 1)
            said = [("assistant", completion.text), ("user", prompts.rethink(reason))]
            messages += [{"role": role, "content": text} for role, text in said]
        raise AssertionError("the last answer decides")

    def _messages(self, prompt: str) -> list[ChatMessage]:
        history = self.player._config.history
        said = [("system", self.system)]
        for asked, answered in self.turns[-history:] if history else ():
            said += [("user", asked), ("assistant", answered)]
        return [{"role": role, "content": text} for role, text in [*said, ("user", prompt)]]

    async def _complete(self, messages: Sequence[ChatMessage]) -> Completion:
        config, options = self.player._config, self.player._options
        body = self.service.body(messages)
        kept = options.answers and options.replay and options.answers.find(config.address, body)
        if kept:
            completion = kept
        else:
            completion = await self.service.complete(body)
            if options.answers:
                options.answers.keep(config.address, body, completion)
            use = self.use
            tokens_in = use.tokens_in + completion.tokens_in
            tokens_out = use.tokens_out + completion.tokens_out
            self.use = use._replace(
                requests=use.requests + 1,
                retries=use.retries + completion.retries,
                tokens_in=tokens_in,
                tokens_out=tokens_out,
                cost_micros=round(config.cost(tokens_in, tokens_out) * 1e6),
            )
        tokens_in, tokens_out = self.tokens
        self.tokens = tokens_in + completion.tokens_in, tokens_out + completion.tokens_out
        self._log(messages, completion)
        return completion

    def _used_up(self) -> str:
        """Return which budget of the match is used up; empty if none is."""
        config = self.player._config
        tokens, cost = sum(self.tokens), config.cost(*self.tokens)
        if config.match_tokens is not None and tokens >= config.match_tokens:
            return f"its budget is used up: {tokens:,} of {config.match_tokens:,} tokens"
        if config.match_cost is not None and cost >= config.match_cost:
            return f"its budget is used up: {cost:.4f} of {config.match_cost:.4f}"
        return ""

    def _fault(self, ending: SeatEnding, sentence: str, prompt: str, reply: str = "") -> Fault:
        return Fault(
            self.seat,
            ending,
            f"{PREFIX}{self.player._config.name}: {sentence}",
            prompt.encode()[:EVIDENCE_BYTES],
            reply.encode(errors="replace")[:EVIDENCE_BYTES],
        )

    def _log(self, messages: Sequence[ChatMessage], completion: Completion) -> None:
        folder = self.player._options.conversations
        if folder is None:
            return
        name = f"{self.match.fixture.number:04}-seat-{self.seat}.jsonl"
        line = json.dumps({"messages": list(messages), "answer": completion._asdict()})
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
