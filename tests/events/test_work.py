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
from arena.events.work import Block, Contender, DealtMatch, Terms, blocks_of
from arena.games.randomness import derive, seed_from
from arena.records import Entrant, SeatEnding
from arena.replays.format import read_replay
from arena.replays.verify import verify
from arena.scheduling.pairing import Pairing, PlannedMatch, matches_of
from arena.secret import match_salt
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


def dealt(match: PlannedMatch) -> DealtMatch:
    """Deal a match as an event would."""
    seed = derive(seed_from(0), f"{match.pairing} {match.deal}")
    return DealtMatch(match, seed, match_salt(seed_from(0), match.number))


def as_given(block: Block) -> list[DealtMatch]:
    """Return a block's matches with the seatings that they had before."""
    return [
        each._replace(
            match=each.match._replace(
                seating=tuple(block.contenders[place].version - 100 for place in each.match.seating)
            )
        )
        for each in block.matches
    ]


@settings(deadline=None)
@given(seatings, st.integers(6, 12))
def test_blocks_keep_the_order_and_the_seatings_and_have_few_bots(
    tables: list[list[int]], most_bots: int
) -> None:
    contenders = [Contender(100 + n, f"bot-{n}", 1, "", b"", "") for n in range(12)]
    matches = [
        dealt(PlannedMatch(number, 0, number, 0, tuple(seating)))
        for number, seating in enumerate(tables)
    ]
    blocks = list(
        blocks_of(NO_TERMS, matches, contenders, tables=9, cores=1, jobs=2, most_bots=most_bots)
    )
    assert [each for block in blocks for each in as_given(block)] == matches
    for each in blocks:
        assert 0 < len(each.contenders) <= most_bots
        used = {place for match, _, _ in each.matches for place in match.seating}
        assert used == set(range(len(each.contenders)))
    # No block could have been longer.
    for one, other in pairwise(blocks):
        first = {other.contenders[place].version for place in other.matches[0].match.seating}
        assert len(first | {each.version for each in one.contenders}) > most_bots


@given(st.integers(1, 5), st.integers(1, 6), st.integers(1, 4))
def test_the_matches_of_a_deal_are_spread_over_jobs_and_ordered_by_shift(
    deals: int, seats: int, jobs: int
) -> None:
    contenders = [Contender(100 + n, f"bot-{n}", 1, "", b"", "") for n in range(seats)]
    sides = tuple(range(seats))
    pairing = Pairing(1, 0, sides)
    planned = matches_of(pairing, deals=deals, sides=sides, first=0)
    matches = [dealt(match) for match in planned]
    blocks = list(
        blocks_of(NO_TERMS, matches, contenders, tables=9, cores=1, jobs=jobs, most_bots=6)
    )
    assert sorted(each for block in blocks for each in as_given(block)) == matches
    assert len(blocks) == min(jobs, seats)
    for each_block in blocks:
        assert each_block.shifts == len({each.match.rotation for each in each_block.matches})
        assert each_block.shifts <= -(-seats // jobs)
        rotations = [each.match.rotation for each in each_block.matches]
        assert rotations == sorted(rotations)


def test_a_table_that_alone_has_too_many_bots_is_a_block_of_its_own() -> None:
    contenders = [Contender(n, f"bot-{n}", 1, "", b"", "") for n in range(4)]
    matches = [dealt(PlannedMatch(n, 0, 0, n, (0, 1, 2, 3))) for n in range(2)]
    (only,) = blocks_of(NO_TERMS, matches, contenders, tables=1, cores=1, jobs=1, most_bots=2)
    assert len(only.contenders) == 4


def test_a_block_is_played_by_caged_bots_and_every_result_is_true(tmp_path: Path) -> None:
    bots = [
        contender(bot_folder(tmp_path, name, HONEST), n) for n, name in ((7, "ann"), (8, "ben"))
    ]
    given = block(*bots)
    results = {result.number: result for result in play_block(given)}
    assert sorted(results) == [40, 41, 42, 43]
    for match, seed, salt in given.matches:
        result = results[match.number]
        assert (result.pairing, result.deal, result.rotation) == (5, match.deal, match.rotation)
        assert result.seed == seed
        assert [seat.version for seat in result.seats] == [7 + place for place in match.seating]
        assert {seat.ending for seat in result.seats} == {PLAYED}
        assert result.cage == cage().mark
        record = read_replay(result.replay)
        assert (record.seed, record.salt) == (seed, salt)
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


def test_a_bot_that_asks_for_more_than_the_event_allows_forfeits(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path, "greedy", HONEST)
    with (folder / "bot.toml").open("a") as file:
        file.write("[limits]\nprocesses = 2\n")
    bots = [contender(bot_folder(tmp_path, "ann", HONEST), 1), contender(folder, 2)]
    plan = block(*bots)
    for result in play_block(plan):
        ends = {seat.version: seat for seat in result.seats}
        assert (ends[1].ending, ends[2].ending) == (PLAYED, SeatEnding.NO_HELLO.value)
        assert ends[2].sentence.startswith(
            "its bot.toml asks for processes = 2, but at most 0 is allowed here: ask for less"
        )
    allowing = replace(plan, terms=replace(plan.terms, limits={"processes": 2}))
    for result in play_block(allowing):
        assert {seat.ending for seat in result.seats} == {PLAYED}


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
