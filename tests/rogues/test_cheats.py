"""Do the cheats recognise a deal that their process meets twice, and no other?

Without this, a test in which a cheat recognises nothing would say nothing. No referee plays here,
and commitments and random numbers are of no help: all that a cheat has to go by are the cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from arena.games.randomness import derive, seed_from
from arena.games.registry import AnyGame, game_named
from arena.sdk import Match
from tests.rogues.cheats import meow, trio
from tests.rogues.cheats.cheat import CHEAT, CONFESSION, HONEST, TELL, Cheat
from tests.rogues.cheats.folders import GAMES
from tests.rogues.cheats.guesser import Guesser, guesses
from tests.rogues.cheats.opponent import Opponent
from tests.rogues.cheats.partner import Partner
from tests.rogues.cheats.recogniser import Recogniser
from tests.rogues.cheats.rememberer import Rememberer
from tests.rogues.cheats.watcher import Watcher

SEATS = 4
# Each takes views of its own game, hence Any.
PLAY: dict[str, Any] = {"trio": trio.play, "meow": meow.play}


@dataclass(slots=True)
class Table:
    """A match of a cheat with greedy bots."""

    match: Match
    # Of the game's own type, hence Any.
    state: Any
    heard: int = 0

    def wait(self) -> bool:
        """Let the others play until it is the cheat's turn; tell whether it comes to that."""
        state, game = self.state, self.match.game
        while not state.is_over and state.to_act != self.match.seat:
            view = game.view_of(state, state.to_act)
            state.apply(PLAY[game.id](view, state.legal_actions(), None))
        return not state.is_over


def seated(bot: Cheat, game: AnyGame, seed: bytes, seat: int, seats: int = SEATS) -> Table:
    """Let a cheat sit down."""
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
    """Play at some tables at once, to the end or until a cheat has made so many decisions."""
    for _ in range(decisions):
        waiting = [table for table in tables if table.wait()]
        if not waiting:
            break
        for table in waiting:
            bot.match = table.match
            bot.happened(table.state.events[table.heard :])
            table.heard = len(table.state.events)
        bot.matches = [table.match for table in waiting]
        views = [table.match.game.view_of(table.state, table.match.seat) for table in waiting]
        for table, action in zip(waiting, bot.choose_many(views), strict=True):
            # Who confesses has lost the match, but may play on here.
            legal = action if action != CONFESSION else table.state.legal_actions()[0]
            table.state.apply(legal)
    for table in tables:
        bot.match = table.match
        bot.happened(table.state.events[table.heard :])
        places = (1,) * SEATS if table.state.is_over else ()
        # The type has other fields where a match's end reveals a seed.
        ended: Any = SimpleNamespace(places=places)
        bot.match_ended(ended)


def deal(number: int) -> bytes:
    """Return the seed of a deal that nobody would guess."""
    return derive(seed_from(10**9), f"deal {number}")


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> AnyGame:
    """Give each game that the cheats play."""
    return game_named(request.param)


@pytest.mark.parametrize("cheat", [Rememberer, Recogniser])
def test_a_deal_that_comes_again_in_another_seat_is_recognised(
    game: AnyGame, cheat: type[Cheat]
) -> None:
    bot = cheat(CHEAT)
    for seat in range(SEATS):
        play(bot, [seated(bot, game, deal(1), seat)])
    assert bot.recognised == SEATS - 1


@pytest.mark.parametrize("cheat", [Watcher, Recogniser])
def test_a_deal_at_two_tables_at_once_is_recognised(game: AnyGame, cheat: type[Cheat]) -> None:
    bot = cheat(CHEAT)
    play(bot, [seated(bot, game, deal(2), seat) for seat in range(SEATS)])
    assert bot.recognised > 1


def test_an_opponent_recognises_a_deal_that_comes_again_in_the_same_seat(game: AnyGame) -> None:
    bot = Opponent(CHEAT)
    for seat in (0, 1, 1):
        assert bot.recognised == 0
        play(bot, [seated(bot, game, deal(3), seat)])
    assert bot.recognised == 1


def test_a_partner_recognises_a_match_that_was_broken_off(game: AnyGame) -> None:
    bot = Partner(CHEAT)
    play(bot, [seated(bot, game, deal(4), 2)], decisions=6)
    play(bot, [seated(bot, game, deal(4), 2)])
    assert bot.recognised == 1


def test_a_guesser_recognises_deals_of_small_seeds(game: AnyGame) -> None:
    bot = Guesser(CHEAT)
    seeds = list(guesses())[: 5 * SEATS]
    for number, seed in enumerate(seeds):
        play(bot, [seated(bot, game, seed, number % SEATS)])
    # Some matches of Trio are over before enough cards have been seen.
    assert bot.recognised > len(seeds) // 2


@pytest.mark.parametrize("cheat", [Guesser, Rememberer, Watcher, Recogniser, Partner, Opponent])
def test_deals_that_are_new_are_not_recognised(game: AnyGame, cheat: type[Cheat]) -> None:
    bot = cheat(CHEAT)
    for number in range(0, 32, 8):
        play(bot, [seated(bot, game, deal(n), n % SEATS) for n in range(number, number + 8)])
    assert bot.recognised == 0


def test_a_cheat_gets_along_with_tables_of_different_sizes(game: AnyGame) -> None:
    bot = Recogniser(CHEAT)
    play(bot, [seated(bot, game, deal(6), 1, seats) for seats in (3, 4, 5)])
    assert bot.recognised == 0


def test_a_cheat_confesses_if_it_is_to_tell_and_its_twin_never_looks(game: AnyGame) -> None:
    teller, honest = Recogniser(TELL), Recogniser(HONEST)
    for bot in (teller, honest):
        for seat in range(2):
            play(bot, [seated(bot, game, deal(5), seat)])
    assert (teller.recognised, honest.recognised) == (1, 0)


def test_a_cheat_that_recognises_nothing_plays_as_its_twin_does(game: AnyGame) -> None:
    ends = []
    for way in (CHEAT, HONEST):
        bot = Recogniser(way)
        tables = [seated(bot, game, deal(n), n % SEATS) for n in range(8)]
        play(bot, tables)
        ends.append([table.state.truth() for table in tables])
    assert ends[0] == ends[1]
