"""Matches in which a client has a seat, each in a thread of its own."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from arena.api.matches import play_matches
from arena.api.replay import Replay
from arena.errors import ArenaError, BadInput, BadText
from arena.games.drawn import draw_view
from arena.games.randomness import Seed
from arena.games.registry import AnyGame, game_named, parameters_from
from arena.indices import Seat
from arena.records import Entrant
from arena.referee.observing import Observation
from arena.referee.players.local import Chooser, LocalPlayer
from arena.referee.players.player import Player
from arena.referee.table import DecisionRequest

NAME = "you"
_MOST_MATCHES = 8
"""In play at once, over all clients."""
_MOST_KEPT = 64
"""Finished matches whose results can still be asked for."""
_IDLE_S = 1800.0
"""A match whose client has not moved for this long is left."""
_MOST_LISTED = 100


@dataclass(frozen=True)  # the SDK reads no slots
class Turn:
    """What a client may know of its match."""

    match: str
    status: str
    """`your turn`, `others play`, `over` or `stopped`."""
    news: list[str]
    """What has happened in public since the last call."""
    table: str
    """The table as the seat may see it."""
    legal_moves: list[str]
    """The first of them; empty unless it is the seat's turn."""
    legal_move_count: int
    result: str
    """Who won and why, or why the match stopped."""


class _Left(ArenaError):
    """The client is gone."""


class ClientMatch:
    """One match, and the seat of a client in it."""

    name = NAME

    def __init__(self, game: AnyGame, seats: int, seat: int) -> None:
        """Prepare a match that has not begun."""
        self.key = secrets.token_urlsafe(12)
        self.seat = seat
        self.replay: Replay | None = None
        self.failure = ""
        self.last_used = time.monotonic()
        self._game = game
        self._names = [f"seat {seat}" for seat in range(seats)]
        self._changed = threading.Condition()
        self._request: DecisionRequest | None = None
        self._move: int | None = None
        self._has_left = False
        self._view: Any = None
        self._news: list[str] = []
        self._thread: threading.Thread | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing more can happen."""
        return self.replay is not None or bool(self.failure)

    def start(self, play: Callable[[], Replay]) -> None:
        """Play in a thread."""

        def run() -> None:
            replay, failure = None, ""
            try:
                replay = play()
            except ArenaError as error:
                failure = str(error)
            except Exception as error:
                failure = f"an error of the server: {error!r}"
                raise
            finally:
                with self._changed:
                    self.replay, self.failure = replay, failure
                    self._changed.notify_all()

        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()

    def join(self, seat: Seat, names: Sequence[str]) -> Player:
        """Take the client's seat."""
        player = LocalPlayer(Entrant(names[seat]), self._choose_in, is_slow=True)
        player.observer = self._observe
        return player

    def _choose_in(self, game: AnyGame, seed: Seed) -> Chooser:
        return self._choose

    def _observe(self, observation: Observation) -> None:
        with self._changed:
            self._view = observation.view
            self._news += [self._game.narrate(each, self._names) for each in observation.events]

    def _choose(self, request: DecisionRequest) -> int:
        with self._changed:
            self._request, self._move = request, None
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._has_left or self._move is not None)
            self._request = None
            if self._move is None:
                raise _Left("the match was left")
            return self._move

    def act(self, text: str) -> None:
        """Make a move; raise an error that says why it is none, and the client may try again."""
        with self._changed:
            if self._request is None:
                raise BadInput("it is not your turn")
            view = self._request.view
            try:
                action = self._game.parse_action(text.strip())
            except BadText as error:
                raise BadInput(f"{text!r} is not a move: {error}") from None
            if action not in self._game.legal_actions(view):
                raise BadInput(self._game.why_illegal(view, action))
            self._move, self._request = action, None
            self.last_used = time.monotonic()
            self._changed.notify_all()

    def wait(self, timeout_s: float) -> Turn:
        """Wait until the seat is to act or the match is over, and say what is new."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_over or self._request is not None, timeout_s)
            return self._turn()

    def leave(self) -> None:
        """End the match, with its bots."""
        with self._changed:
            self._has_left = True
            self._changed.notify_all()
        if self._thread:
            self._thread.join()

    def _turn(self) -> Turn:
        news, self._news = self._news, []
        legal = self._game.legal_actions(self._request.view) if self._request else []
        view = self._request.view if self._request else self._view
        status = "your turn" if self._request else "others play"
        if self.is_over:
            status = "over" if self.replay else "stopped"
        return Turn(
            match=self.key,
            status=status,
            news=news,
            table="" if view is None else draw_view(view),
            legal_moves=[self._game.action_text(action) for action in legal[:_MOST_LISTED]],
            legal_move_count=len(legal),
            result=str(self.replay) if self.replay else self.failure,
        )


class ClientMatches:
    """All matches of all clients, by their keys."""

    def __init__(self, *, cage: str, league: str) -> None:
        """Opponents play in this cage; bots of the league may be named."""
        self._cage = cage
        self._league = league
        self._matches: dict[str, ClientMatch] = {}
        self._lock = threading.Lock()

    def start(
        self, game: str, opponents: Sequence[str], seat: int, variant: str, seed: int | None
    ) -> ClientMatch:
        """Begin a match; the client sits in `seat`, the opponents in the others, in their order."""
        rules = game_named(game)
        seats = len(opponents) + 1
        rules.check_seats(seats, parameters_from(rules, variant.split()))
        if not 0 <= seat < seats:
            raise BadInput(f"there is no seat {seat} at a table of {seats}: seats begin with 0")
        match = ClientMatch(rules, seats, seat)
        with self._lock:
            self._drop_old()
            self._matches[match.key] = match
        players: list[Any] = [*opponents[:seat], match, *opponents[seat:]]

        def play() -> Replay:
            (replay,) = play_matches(
                rules,
                players,
                1,
                seed=seed,
                variant=variant.split(),
                cage=self._cage,
                league=self._league,
                on_warning=lambda sentence: None,
            )
            return replay

        match.start(play)
        return match

    def find(self, key: str) -> ClientMatch:
        """Return the match with a key."""
        match = self._matches.get(key)
        if match is None:
            raise BadInput("no such match: it may be long over, or its key is wrong")
        return match

    def leave_all(self) -> None:
        """End all matches, with their bots."""
        for match in self._matches.values():
            match.leave()

    def _drop_old(self) -> None:
        now = time.monotonic()
        for match in list(self._matches.values()):
            if not match.is_over and now - match.last_used > _IDLE_S:
                match.leave()
        over = [key for key, match in self._matches.items() if match.is_over]
        for key in over[: max(0, len(over) - _MOST_KEPT)]:
            del self._matches[key]
        if len(self._matches) - len(over) >= _MOST_MATCHES:
            raise BadInput(f"{_MOST_MATCHES} matches are in play: finish or leave one first")
