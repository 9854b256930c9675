"""Matches are divided into blocks, and workers play them."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from arena.indices import EntrantIndex, VersionId
from arena.records import Entrant, SeatEnding, hash_prefix
from arena.replays.format import read_replay
from arena.replays.verify import verify
from arena.scheduling.pairing import PlannedMatch
from arena.workers.block import MatchTerms, PackedBot, blocks_of
from leaderboard.result import PLAYED, MatchResult, SeatResult
from tests.builders.blocks import make_block, play_block
from tests.builders.bots import HONEST, ROOT, bot_folder, packed_bot
from tests.cages import cage
from tests.indices import entrants, entrants_in

NO_TERMS = MatchTerms("meow", "", "", "none")


seatings = st.lists(
    st.integers(2, 6).flatmap(
        lambda size: st.lists(st.integers(0, 11), min_size=size, max_size=size, unique=True)
    ),
    max_size=40,
)


def match_of(number: int, seating: tuple[EntrantIndex, ...]) -> PlannedMatch:
    """Make up a match: only its seating matters."""
    return PlannedMatch(number, 0, number, 0, seating, b"seed", b"salt")


def made_up_bot(entrant: int) -> PackedBot:
    """Make up a bot."""
    version = VersionId(100 + entrant)
    return PackedBot(EntrantIndex(entrant), version, f"bot-{entrant}", 1, "", b"", "")


def seats_by_version(result: MatchResult) -> dict[int, SeatResult]:
    """Return the seats of a match by version."""
    return {seat.version: seat for seat in result.seats}


@given(seatings, st.integers(6, 12))
def test_blocks_keep_order_and_seatings_and_have_few_bots(
    tables: list[list[int]], max_bots: int
) -> None:
    bots = [made_up_bot(n) for n in range(12)]
    matches = [match_of(number, entrants_in(seating)) for number, seating in enumerate(tables)]
    blocks = list(blocks_of(NO_TERMS, matches, bots, tables=9, max_bots=max_bots))
    assert [each for block in blocks for each in block.matches] == matches
    for each in blocks:
        assert 0 < len(each.bots) <= max_bots
        used = {entrant for match in each.matches for entrant in match.seating}
        assert {bot.entrant for bot in each.bots} == used
    # No block could have taken the first match of the next.
    for one, other in pairwise(blocks):
        first = set(other.matches[0].seating)
        assert len(first | {each.entrant for each in one.bots}) > max_bots


def test_a_table_with_too_many_bots_is_a_block_by_itself() -> None:
    bots = [made_up_bot(n) for n in range(4)]
    matches = [match_of(n, entrants(0, 1, 2, 3)) for n in range(2)]
    (only,) = blocks_of(NO_TERMS, matches, bots, tables=1, max_bots=2)
    assert len(only.bots) == 4


def test_a_block_is_played_by_caged_bots_and_every_result_can_be_verified(tmp_path: Path) -> None:
    bots = [
        packed_bot(bot_folder(tmp_path, name, HONEST), n) for n, name in ((7, "ann"), (8, "ben"))
    ]
    block = make_block(*bots)
    results = {result.number: result for result in play_block(block)}
    assert sorted(results) == [40, 41, 42, 43]
    for match in block.matches:
        result = results[match.number]
        assert (result.pairing, result.deal, result.rotation) == (5, match.deal, match.rotation)
        assert result.seed == match.seed
        assert [seat.version for seat in result.seats] == [
            bot.version for bot in block.seated(match)
        ]
        assert {seat.ending for seat in result.seats} == {PLAYED}
        assert result.cage == cage().mark
        record = read_replay(result.replay)
        assert (record.seed, record.salt) == (match.seed, match.salt)
        assert record.entrants == tuple(
            Entrant(bot.name, "1", hash_prefix(bot.hash)) for bot in block.seated(match)
        )
        assert verify(record) == []
        assert result.decisions == len(record.decisions)


def test_a_bot_that_cannot_be_prepared_forfeits_and_the_others_play(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path, "exotic", HONEST)
    manifest = folder / "bot.toml"
    manifest.write_text(manifest.read_text().replace('"python"', '"no-such-program"'))
    bots = [packed_bot(bot_folder(tmp_path, "ann", HONEST), 1), packed_bot(folder, 2)]
    results = play_block(make_block(*bots))
    assert len(results) == 4
    for result in results:
        ends = seats_by_version(result)
        assert ends[1].ending == PLAYED
        assert ends[2].ending == SeatEnding.NO_HELLO.code
        assert ends[2].sentence == (
            "bot.toml, line 3: 'command' runs 'no-such-program', which is not installed"
        )


def test_a_bot_that_asks_for_more_than_the_event_allows_forfeits(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path, "greedy", HONEST)
    with (folder / "bot.toml").open("a") as file:
        file.write("[limits]\nthreads = 80\n")
    bots = [packed_bot(bot_folder(tmp_path, "ann", HONEST), 1), packed_bot(folder, 2)]
    plan = make_block(*bots)
    for result in play_block(plan):
        ends = seats_by_version(result)
        assert (ends[1].ending, ends[2].ending) == (PLAYED, SeatEnding.NO_HELLO.code)
        assert ends[2].sentence.startswith(
            "its bot.toml asks for threads = 80, but at most 64 is allowed here: ask for less"
        )
    allowed = replace(plan, terms=replace(plan.terms, limits={"threads": 80}))
    for result in play_block(allowed):
        assert {seat.ending for seat in result.seats} == {PLAYED}


WORKER = """
import sys
sys.modules["sqlite3"] = None  # importing it fails
import asyncio, pickle
block = pickle.load(sys.stdin.buffer)
from arena.workers.worker import Worker

async def play():
    worker = Worker(cores=2)
    try:
        return [result async for result in worker.play(block)]
    finally:
        await worker.close()

sys.stdout.buffer.write(pickle.dumps(asyncio.run(play())))
"""


def test_a_block_and_its_results_can_be_pickled_and_need_no_database(
    tmp_path: Path,
) -> None:
    block = make_block(*(packed_bot(bot_folder(tmp_path, str(n), HONEST), n) for n in (1, 2)))
    done = subprocess.run(
        [sys.executable, "-c", WORKER], input=pickle.dumps(block), stdout=subprocess.PIPE, cwd=ROOT
    )
    assert done.returncode == 0
    results = pickle.loads(done.stdout)
    assert sorted(result.number for result in results) == [40, 41, 42, 43]
