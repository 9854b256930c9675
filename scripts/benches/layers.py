"""Which layer of a decision costs how much CPU time?

Four caged bots that play their first legal action play at 64 tables, as in wire.py. The CPU
time of the referee and of the bots is measured as a whole, while they play (remote_play.py). In
another run of the same matches, every message is kept, and the work of one layer after another is
repeated with the same records, views and messages (layer_replay.py):

- engine: deal, find forced actions, apply actions, determine the outcome
- view: create the views
- table: the rest of `arena.referee.table`
- matches: what the referee does around tables if bots are in its own process: matches in play,
  mailboxes, event loop
- encode, decode: the messages to bots and their answers; `encode_batch` and `decode_answers` in the
  referee, the functions of `arena.wire` in the bots
- transport: exchange messages of the same sizes over the same kind of stream, at both ends
- choose: the bot's own decision

The rest is what remains of the whole: clocks, turns and deliveries in the referee; in the bots, the
loop of the SDK and the start of matches. Repeated work finds the processor's caches warm, so the
layers are a little too cheap and the rest is too expensive. Every figure is in µs per decision, and
the lowest of its turns: other load on the machine only ever adds CPU time.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import Any

import layer_replay as replay
from captured_play import CapturedPlay, capture
from figures import print_figures
from remote_play import Cost, backends, least_cost, measure_play
from wire import MATCHES, TABLES

from arena.games.registry import AnyGame, all_games
from arena.sandbox.select import AUTO, select_cage

TURNS = 3
REPLAYS = 3

Costs = dict[str, float]
"""The cost of each layer, or of each measurement."""


def replay_turn(play: CapturedPlay) -> Costs:
    """Repeat the work of each layer once; return seconds."""
    messages = play.encode_all()
    requests, actions = replay.decode_all(play, messages), replay.choose_all(play)
    replies = replay.encode_answers(requests, actions)
    transport = replay.transport_s(play, messages, replies)
    return {
        "engine": replay.engine_s(play),
        "with views": replay.engine_and_views_s(play),
        "tables": replay.tables_s(play),
        "local play": replay.local_play_s(play, TABLES),
        "encode": replay.cpu_s(play.encode_all),
        "transport": transport.referee,
        "decode": replay.decode_answers_s(play, replies),
        "bots' transport": transport.bots,
        "bots' decode": replay.cpu_s(lambda: replay.decode_all(play, messages)),
        "bots' encode": replay.cpu_s(lambda: replay.encode_answers(requests, actions)),
        "choose": replay.cpu_s(lambda: replay.choose_all(play)),
    }


def replay_layers(play: CapturedPlay) -> Costs:
    """Return the lowest cost of each layer, in µs per decision."""
    # The messages stay in memory; the garbage collector need not look at them, as in a real run.
    gc.collect()
    gc.freeze()
    turns = [replay_turn(play) for _ in range(REPLAYS)]
    gc.unfreeze()
    return {name: min(turn[name] for turn in turns) / play.decisions * 1e6 for name in turns[0]}


def layers_of(us: Costs, whole: Cost) -> dict[str, Costs]:
    """Return the layers of each side, which add up to the whole."""
    referee = {
        "engine": us["engine"],
        # Each of these was measured together with the ones before it.
        "view": us["with views"] - us["engine"],
        "table": us["tables"] - us["with views"],
        "matches": us["local play"] - us["tables"] - us["choose"],
        **{name: us[name] for name in ("encode", "transport", "decode")},
    }
    bots = {
        "transport": us["bots' transport"],
        "decode": us["bots' decode"],
        "choose": us["choose"],
        "encode": us["bots' encode"],
    }
    for layers, cost in ((referee, whole.referee), (bots, whole.bots)):
        layers["rest"] = cost - sum(layers.values())
        layers["whole"] = cost
    return {
        "referee": referee,
        "bots": bots,
        "together": {"together": whole.together},
    }


def measure_game(game: AnyGame) -> dict[str, Costs]:
    """Measure the whole and all layers of a game."""
    matches = MATCHES[game.id][1]
    runs = [measure_play(game, matches, TABLES, select_cage(AUTO)) for _ in range(TURNS)]
    whole = least_cost(runs)
    found = layers_of(replay_layers(capture(game, matches, TABLES)), whole)
    return {
        side: {name: round(cost, 1) for name, cost in layers.items()}
        for side, layers in found.items()
    }


def measure() -> dict[str, Any]:
    """Measure every game; return the document that --json prints."""
    games = {}
    for game in all_games():
        print(f"\rmeasuring: {game.id:12}", end="", file=sys.stderr, flush=True)
        games[game.id] = measure_game(game)
    print(file=sys.stderr)
    return {"backends": backends(), "games": games}


if __name__ == "__main__":
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    print_figures(measure())
