"""Does a worker play what it is given, and need nothing else?"""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import BadPackage
from arena.events.room import play_block
from arena.events.work import Contender, Terms, blocks_of
from arena.games.randomness import derive, seed_from
from arena.records import Entrant, SeatEnding
from arena.replays.format import read_replay
from arena.replays.verify import verify
from arena.scheduling.pairing import PlannedMatch
from leaderboard.results import PLAYED
from tests.cages import cage
from tests.events.blocks import block
from tests.events.folders import HONEST, ROGUE, ROOT, bot_folder, contender

NO_TERMS = Terms("meow", "", "", "none")


seatings = st.lists(
    st.integers(2, 6).flatmap(
        lambda size: st.lists(st.integers(0, 11), min_size=size, max_size=size, unique=True)
    ),
    max_size=40,
)


@settings(deadline=None)
@given(seatings, st.integers(6, 12))
def test_blocks_keep_the_order_and_the_seatings_and_have_few_bots(
    tables: list[list[int]], most_bots: int
) -> None:
    contenders = [Contender(100 + n, f"bot-{n}", 1, "", b"", "") for n in range(12)]
    matches = [
        (PlannedMatch(number, 0, 0, 0, tuple(seating)), derive(seed_from(0), str(number)))
        for number, seating in enumerate(tables)
    ]
    blocks = list(blocks_of(NO_TERMS, matches, contenders, tables=9, cores=1, most_bots=most_bots))
    back = [
        (
            match._replace(
                seating=tuple(block.contenders[place].version - 100 for place in match.seating)
            ),
            seed,
        )
        for block in blocks
        for match, seed in zip(block.matches, block.seeds, strict=True)
    ]
    assert back == matches
    for each in blocks:
        assert 0 < len(each.contenders) <= most_bots
        used = {place for match in each.matches for place in match.seating}
        assert used == set(range(len(each.contenders)))
    # No block could have been longer.
    for one, other in pairwise(blocks):
        first = {other.contenders[place].version for place in other.matches[0].seating}
        assert len(first | {each.version for each in one.contenders}) > most_bots


def test_a_table_that_alone_has_too_many_bots_is_a_block_of_its_own() -> None:
    contenders = [Contender(n, f"bot-{n}", 1, "", b"", "") for n in range(4)]
    matches = [(PlannedMatch(n, 0, 0, n, (0, 1, 2, 3)), seed_from(0)) for n in range(2)]
    (only,) = blocks_of(NO_TERMS, matches, contenders, tables=1, cores=1, most_bots=2)
    assert len(only.contenders) == 4


def test_a_block_is_played_by_caged_bots_and_every_result_is_true(tmp_path: Path) -> None:
    bots = [
        contender(bot_folder(tmp_path, name, HONEST), n) for n, name in ((7, "ann"), (8, "ben"))
    ]
    given = block(*bots)
    results = {result.number: result for result in play_block(given)}
    assert sorted(results) == [40, 41, 42, 43]
    for match, seed in zip(given.matches, given.seeds, strict=True):
        result = results[match.number]
        assert (result.pairing, result.deal, result.rotation) == (5, match.deal, match.rotation)
        assert result.seed == seed
        assert [seat.version for seat in result.seats] == [7 + place for place in match.seating]
        assert {seat.ending for seat in result.seats} == {PLAYED}
        assert result.cage == cage().mark
        record = read_replay(result.replay)
        assert record.seed == seed
        names = ["ann", "ben"]
        assert record.entrants == tuple(Entrant(names[place], "1") for place in match.seating)
        assert verify(record) == []
        assert result.decisions == len(record.decisions)


def test_a_bot_that_breaks_is_named_with_its_last_words(tmp_path: Path) -> None:
    bots = [
        contender(bot_folder(tmp_path, "ann", HONEST), 1),
        contender(bot_folder(tmp_path, "rogue", ROGUE, "never starts"), 2),
    ]
    for result in play_block(block(*bots)):
        ends = {seat.version: seat for seat in result.seats}
        assert ends[1].ending == PLAYED
        assert ends[2].ending == SeatEnding.CRASHED.value
        assert ends[2].sentence == "it ended with exit code 7 before it said hello"
        assert (ends[1].place, ends[2].place) == (1, 2)


def test_a_bot_that_cannot_be_prepared_forfeits_and_the_others_play(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path, "exotic", HONEST)
    manifest = folder / "bot.toml"
    manifest.write_text(manifest.read_text().replace('"python"', '"no-such-program"'))
    bots = [contender(bot_folder(tmp_path, "ann", HONEST), 1), contender(folder, 2)]
    results = play_block(block(*bots))
    assert len(results) == 4
    for result in results:
        ends = {seat.version: seat for seat in result.seats}
        assert ends[1].ending == PLAYED
        assert ends[2].ending == SeatEnding.NO_HELLO.value
        assert ends[2].sentence == (
            "bot.toml, line 3: 'command' starts 'no-such-program', which is not installed here"
        )


def test_a_package_that_is_not_what_was_submitted_is_refused(tmp_path: Path) -> None:
    good = contender(bot_folder(tmp_path, "ann", HONEST), 1)
    other = contender(bot_folder(tmp_path, "ben", HONEST), 2)
    with pytest.raises(BadPackage, match="its hash is another one"):
        play_block(block(good, replace(other, hash=good.hash)))


WORKER = """
import sys
sys.modules["sqlite3"] = None  # whoever imports it fails
import pickle
block = pickle.load(sys.stdin.buffer)
from arena.events.room import play_block
sys.stdout.buffer.write(pickle.dumps(play_block(block)))
"""


def test_a_block_travels_to_a_worker_that_knows_no_database_and_its_results_travel_back(
    tmp_path: Path,
) -> None:
    given = block(*(contender(bot_folder(tmp_path, str(n), HONEST), n) for n in (1, 2)))
    done = subprocess.run(
        [sys.executable, "-c", WORKER], input=pickle.dumps(given), stdout=subprocess.PIPE, cwd=ROOT
    )
    assert done.returncode == 0
    results = pickle.loads(done.stdout)
    assert sorted(result.number for result in results) == [40, 41, 42, 43]
