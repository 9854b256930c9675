"""How strong are bots? Every two of them meet on the same deals, in this process, without a cage.

`scripts/bench strength --game meow --bots greedy search@30 search@100 --deals 100`

`greedy` is the greedy bot of the game; other words are bots as for `arena play`; `@30` gives one 30
ms of CPU time for each decision. Each deal is played twice, with the sides exchanged: one bot has
the even seats, the other the odd ones, and partners stay together. A bot's share is the share of
the comparisons between the two sides in which it is ahead, a tie counting half; its error comes
from the spread of whole deals.

The deals follow from `--seed`. Their results are kept in strength.jsonl, by the contents of the
bots, so that a run can be interrupted, and more `--deals` add to those already played.
`--until-clear` ends a pair when its share is three standard errors from even. Without `--game`,
nothing is played: the results of the latest versions go into the table of bots/README.md.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import combinations
from math import inf, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Any, NamedTuple

from arena.games.randomness import Seed, derive, seed_from
from arena.games.registry import GAME_IDS, AnyGame, game_named, parameters_from
from arena.learn.opponents import bot_class
from arena.records import bot_seed
from arena.sdk import Bot, Match, Result
from arena.sdk.seated import SeatedBot
from arena.submission.files import bot_files
from arena.submission.lookup import find_bot

RESULTS = Path(__file__).with_name("strength.jsonl")
PAGE = Path(__file__).parents[2] / "bots" / "README.md"
HEAD = "| game | seats | bot | against | share | deals | ms |"
Z_95 = 1.96
CLEAR_ERRORS = 3.0
LEAST_DEALS = 20


def version_of(folder: Path, game_id: str) -> str:
    """Return a hash of a bot's files, without those that are named for other games."""
    digest = sha256()
    for file in sorted(bot_files(folder), key=lambda file: file.path):
        if not any(other in file.path.name for other in GAME_IDS if other != game_id):
            digest.update(file.path.read_bytes())
    return digest.hexdigest()[:8]


class Player:
    """A bot in this process, its time for each decision, and how much of it was used."""

    def __init__(self, word: str, game_id: str) -> None:
        """Load a bot; its modules may have the same names as those of another."""
        self.word = word
        name, _, ms = word.partition("@")
        name = f"greedy-{game_id}" if name == "greedy" else name
        folder = find_bot(name).folder
        self.version = version_of(folder, game_id)
        self.seconds = float(ms or 30) / 1000
        self.used_s = 0.0
        self.decisions = 0
        self._modules: dict[str, Any] = {}
        before = set(sys.modules)
        sys.path.insert(0, str(folder))
        self._bot: Bot = bot_class(name)()
        self._set_aside(before)

    def _set_aside(self, before: set[str]) -> None:
        """Take the modules of this bot out of the way of other bots."""
        for name in set(sys.modules) - before:
            if not name.startswith(("bots.", "arena.")):
                self._modules[name] = sys.modules.pop(name)

    @property
    def ms(self) -> float:
        """CPU time for a decision so far."""
        return 1000 * self.used_s / max(1, self.decisions)

    def sit(self, state: Any, game: AnyGame, seat: int, seed: Seed) -> SeatedBot:
        """Begin a match; the bot's own random numbers follow from the deal."""
        match = Match(
            game=game,
            parameters=state.parameters,
            seats=state.seats,
            seat=seat,
            bank_s=3 * self.seconds,
            increment_s=self.seconds,
            counts_cpu=True,
            commitment=bytes(32),
            rng=Random(bot_seed(seed, b"", seat)),
            time_left_s=3 * self.seconds,
            wall_left_s=3 * self.seconds,
        )
        return SeatedBot(self._bot, match)

    def choose(self, seated: SeatedBot, view: Any, events: Sequence[Any] | None) -> int:
        """Let the bot decide, and take its time."""
        sys.modules.update(self._modules)
        began = time.process_time()
        action = seated.choose(view, events)
        self.used_s += time.process_time() - began
        self.decisions += 1
        return action


class Duel(NamedTuple):
    """Two bots at a table, and the deals that they have played."""

    game: str
    variant: str
    seats: int
    seed: int
    bots: tuple[str, str]
    versions: tuple[str, str]
    ms: tuple[float, ...]
    """CPU time for a decision with a choice."""
    shares: tuple[float, ...]
    """Of the first bot, for each deal."""

    @property
    def error(self) -> float:
        """The standard error of the mean share."""
        count = len(self.shares)
        return stdev(self.shares) / sqrt(count) if count > 1 else inf

    @property
    def is_clear(self) -> bool:
        """Whether one bot is stronger beyond reasonable doubt, even if looked at often."""
        lead = abs(fmean(self.shares) - 0.5) if self.shares else 0.0
        return len(self.shares) >= LEAST_DEALS and lead > CLEAR_ERRORS * self.error

    def __str__(self) -> str:
        share = f"{fmean(self.shares):.3f} ± {Z_95 * self.error:.3f}"
        ms = " and ".join(f"{each:.1f}" for each in self.ms)
        where = " ".join(filter(None, (self.game, self.variant, f"{self.seats} seats")))
        met = f"{where}: {' against '.join(self.bots)}"
        return f"{met} {share}, {len(self.shares)} deals, {ms} ms"


def key(duel: Duel) -> tuple[Any, ...]:
    """Return what tells a duel from others."""
    return duel[: Duel._fields.index("ms")]


def read(path: Path) -> list[Duel]:
    """Read all duels of a file."""
    lines = path.read_text().splitlines() if path.exists() else []
    return [
        Duel._make(tuple(v) if isinstance(v, list) else v for v in json.loads(line).values())
        for line in lines
    ]


def write(path: Path, duel: Duel) -> None:
    """Put a duel into the file, in the place of its earlier state."""
    duels = {key(each): each for each in [*read(path), duel]}
    path.write_text("".join(json.dumps(each._asdict()) + "\n" for each in duels.values()))


def play_deal(
    game: AnyGame, parameters: Any, seats: int, pair: tuple[Player, Player], seed: Seed
) -> float:
    """Play a deal twice, with the sides exchanged; return the share of the first bot."""
    sides = game.sides(seats, parameters)
    shares = []
    for first in (0, 1):
        players = [pair[(side + first) % 2] for side in sides]
        state = game.start(seats, seed, parameters, recording=True)
        seated = [player.sit(state, game, seat, seed) for seat, player in enumerate(players)]
        while (seat := state.to_act) >= 0:
            action = state.only_action()
            if action is None:
                view = game.view_of(state, seat)
                action = players[seat].choose(seated[seat], view, state.events)
            state.apply(action)
        outcome = state.outcome()
        for bot in seated:
            bot.end(Result(outcome.places, outcome.scores, ""), state.events)
        places = list(zip(outcome.places, players, strict=True))
        ours = [place for place, player in places if player is pair[0]]
        theirs = [place for place, player in places if player is pair[1]]
        shares.append(
            fmean(((our < their) + (our <= their)) / 2 for our in ours for their in theirs)
        )
    return round(fmean(shares), 4)


def play(words: tuple[str, str], options: argparse.Namespace) -> Iterator[Duel]:
    """Play the deals of a pair that are missing; yield the duel after each."""
    game = game_named(options.game)
    parameters = parameters_from(game, options.variant)
    one, other = pair = Player(words[0], game.id), Player(words[1], game.id)
    versions = one.version, other.version
    duel = Duel(
        game.id, options.variant, options.seats, options.seed, words, versions, (0.0, 0.0), ()
    )
    duel = {key(each): each for each in read(options.results)}.get(key(duel), duel)
    seed = seed_from(options.seed)
    while len(duel.shares) < options.deals and not (options.until_clear and duel.is_clear):
        deal = derive(seed, f"{game.id} {options.seats} {len(duel.shares)}")
        share = play_deal(game, parameters, options.seats, pair, deal)
        count = len(duel.shares)
        old, new = duel.ms, (one.ms, other.ms)
        duel = duel._replace(
            # The mean of this run and of earlier ones.
            ms=tuple((a * count + b) / (count + 1) for a, b in zip(old, new, strict=True)),
            shares=(*duel.shares, share),
        )
        yield duel
    yield duel


def crosstable(duels: Sequence[Duel]) -> str:
    """Return the duels as a table in Markdown."""
    latest = {(*key(duel)[:4], duel.bots): duel for duel in duels}
    rows = [HEAD, re.sub(r"[^|]+", " --- ", HEAD)]
    for _, duel in sorted(latest.items()):
        game = " ".join(filter(None, (game_named(duel.game).title, duel.variant)))
        share = f"{fmean(duel.shares):.3f} ± {Z_95 * duel.error:.3f}"
        ms = " : ".join(f"{each:.2g}" for each in duel.ms)
        cells = game, duel.seats, *duel.bots, share, len(duel.shares), ms
        rows.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", choices=GAME_IDS)
    parser.add_argument("--variant", default="")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--bots", nargs="+", default=["greedy", "search@30", "search@100"])
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--until-clear", action="store_true")
    parser.add_argument("--results", type=Path, default=RESULTS)
    options = parser.parse_args()
    if options.game:
        for words in combinations(reversed(options.bots), 2):
            for duel in play(words, options):
                write(options.results, duel)
                print(f"\r{duel}", end="", file=sys.stderr, flush=True)
            print(file=sys.stderr)
    else:
        page = PAGE.read_text(encoding="utf-8")
        table = crosstable(read(options.results))
        print(table)
        PAGE.write_text(re.sub(re.escape(HEAD) + r"(\n\|.*)+", table, page), encoding="utf-8")
