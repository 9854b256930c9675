"""The cheats recognise a deal that their process sees twice.

Without these tests, a test in which a cheat recognises nothing would prove nothing. There is no
referee here, and commitments and random numbers do not help: a cheat has only the cards to go by.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from arena.games.randomness import derive, seed_from
from arena.games.registry import AnyGame, game_named
from arena.sdk import Match
from tests.rogues.cheats import jackal, lifeislife, meow, trio
from tests.rogues.cheats.cheat import CHEAT, CONFESS, CONFESSION, HONEST, Cheat
from tests.rogues.cheats.folders import GAMES
from tests.rogues.cheats.guesser import Guesser, guesses
from tests.rogues.cheats.opponent import Opponent
from tests.rogues.cheats.teller import Teller

SEATS = 4
# Each takes views of its own game, hence Any.
PLAY: dict[str, Any] = {
    "trio": trio.play,
    "jackal": jackal.play,
    "meow": meow.play,
    "lifeislife": lifeislife.play,
}


@dataclass(slots=True)
class Table:
    """A match of a cheat with greedy bots."""

    match: Match
    # Of the game's own type, hence Any.
    state: Any
    events_seen: int = 0

    def wait(self) -> bool:
        """Play for the others until the cheat's turn; return False if the match ends first."""
        state, game = self.state, self.match.game
        while not state.is_over and state.to_act != self.match.seat:
            view = game.view_of(state, state.to_act)
            state.apply(PLAY[game.id](view, state.legal_actions(), None))
        return not state.is_over


def start_match(bot: Cheat, game: AnyGame, seed: bytes, seat: int, seats: int = SEATS) -> Table:
    """Start a match for a cheat."""
    match = Match(
        game=game,
        parameters=game.default_parameters,
        seats=seats,
        seat=seat,
        bank_s=60.0,
        increment_s=0.5,
        counts_cpu=False,
        commitment=b"the same for all",
        rng=Random(),
    )
    bot.match = match
    bot.match_started()
    return Table(match, game.start(seats, seed, recording=True))


def play(bot: Cheat, tables: Sequence[Table], *, decisions: int = 1000) -> None:
    """Play at several tables at once, to the end or up to a number of decisions."""
    for _ in range(decisions):
        waiting = [table for table in tables if table.wait()]
        if not waiting:
            break
        for table in waiting:
            bot.match = table.match
            bot.happened(table.state.events[table.events_seen :])
            table.events_seen = len(table.state.events)
        bot.matches = [table.match for table in waiting]
        views = [table.match.game.view_of(table.state, table.match.seat) for table in waiting]
        for table, action in zip(waiting, bot.choose_many(views), strict=True):
            # A cheat that confesses has lost the match, but may continue here.
            legal = action if action != CONFESSION else table.state.legal_actions()[0]
            table.state.apply(legal)
    for table in tables:
        bot.match = table.match
        bot.happened(table.state.events[table.events_seen :])
        places = (1,) * SEATS if table.state.is_over else ()
        # The type has other fields where a match's end reveals a seed.
        ended: Any = SimpleNamespace(places=places)
        bot.match_ended(ended)


def deal(number: int) -> bytes:
    """Return the seed of a deal that cannot be guessed."""
    return derive(seed_from(10**9), f"deal {number}")


@pytest.fixture(
    params=[
        pytest.param(game, marks=[pytest.mark.slow] * (game in ("jackal", "lifeislife")))
        for game in GAMES
    ]
)
def game(request: pytest.FixtureRequest) -> AnyGame:
    """Yield each game that the cheats play."""
    return game_named(request.param)


def test_a_deal_repeated_in_another_seat_is_recognised(game: AnyGame) -> None:
    bot = Cheat(CHEAT)
    for seat in range(SEATS):
        play(bot, [start_match(bot, game, deal(1), seat)])
    assert bot.recognised == SEATS - 1


def test_a_deal_at_two_tables_at_once_is_recognised(game: AnyGame) -> None:
    bot = Cheat(CHEAT)
    play(bot, [start_match(bot, game, deal(2), seat) for seat in range(SEATS)])
    assert bot.recognised > 1


def test_an_opponent_recognises_a_deal_repeated_in_the_same_seat(game: AnyGame) -> None:
    bot = Opponent(CHEAT)
    for seat in (0, 1, 1):
        assert bot.recognised == 0
        play(bot, [start_match(bot, game, deal(3), seat)])
    assert bot.recognised == 1


def test_the_deal_of_a_void_match_is_recognised(game: AnyGame) -> None:
    bot = Cheat(CHEAT)
    play(bot, [start_match(bot, game, deal(4), 2)], decisions=6)
    play(bot, [start_match(bot, game, deal(4), 2)])
    assert bot.recognised == 1


@pytest.mark.parametrize("channel", ["leftovers", "neighbours"])
@pytest.mark.parametrize("name", GAMES)
def test_a_bot_outside_a_cage_tells_another_one_what_it_has_seen(
    name: str, channel: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # They share a folder for temporary files, which bots in cages do not.
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    game = game_named(name)
    bots = [Teller(mode, channel) for mode in (CHEAT, CHEAT, HONEST)]
    for seat, bot in enumerate(bots):
        play(bot, [start_match(bot, game, deal(7), seat)])
    assert [bot.heard > 0 for bot in bots] == [False, True, False]
    assert [bot.recognised for bot in bots] == [0, 1, 0]


@pytest.mark.slow
@pytest.mark.parametrize("channel", ["names"])
def test_a_disk_tells_a_bot_which_names_another_one_has_looked_up(channel: str) -> None:
    game = game_named("meow")
    # A busy machine disturbs some of the messages.
    for number in range(8, 16):
        bots = [Teller(CHEAT, channel), Teller(CHEAT, channel)]
        for seat, bot in enumerate(bots):
            play(bot, [start_match(bot, game, deal(number), seat)])
        if bots[1].heard:
            break
    assert bots[1].recognised == 1


def test_a_guesser_recognises_deals_of_small_seeds(game: AnyGame) -> None:
    bot = Guesser(CHEAT)
    seeds = list(guesses())[: 5 * SEATS]
    for number, seed in enumerate(seeds):
        play(bot, [start_match(bot, game, seed, number % SEATS)])
    # Some matches of Trio are over before enough cards have been seen.
    assert bot.recognised > len(seeds) // 2


def test_a_cheat_confesses_on_request_and_its_honest_twin_never_looks(game: AnyGame) -> None:
    confessor, honest = Cheat(CONFESS), Cheat(HONEST)
    for bot in (confessor, honest):
        for seat in range(2):
            play(bot, [start_match(bot, game, deal(5), seat)])
    assert (confessor.recognised, honest.recognised) == (1, 0)
