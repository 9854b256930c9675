"""Bots that are started by root each have their own uid."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.sandbox.uids import uid_for

_MAX_PID = 1 << 22
"""The largest number of processes that Linux can be set to."""
pids = st.integers(1, _MAX_PID)


@given(pids, st.integers(0, 1 << 40))
def test_every_uid_is_valid_and_belongs_to_no_user(pid: int, number: int) -> None:
    assert 1 << 30 <= uid_for(pid, number) < (1 << 32) - 1


@given(pids)
def test_thousands_of_bots_of_one_referee_have_different_uids(pid: int) -> None:
    assert len({uid_for(pid, number) for number in range(4096)}) == 4096


@given(pids, st.integers(1, 1000), st.integers(0, 4095), st.integers(0, 4095))
def test_two_referees_share_no_uid(pid: int, distance: int, one: int, other: int) -> None:
    assert uid_for(pid, one) != uid_for(pid + distance, other)
