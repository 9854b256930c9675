"""Emptying the processors' caches."""

import os

from arena.sandbox.processor_caches import _caches, empty_caches


def test_a_thread_may_run_where_it_could_before() -> None:
    before = os.sched_getaffinity(0)
    empty_caches()
    assert os.sched_getaffinity(0) == before


def test_every_processor_has_caches_also_where_the_kernel_does_not_say() -> None:
    known, unknown = os.sched_getaffinity(0), {10**6, 10**6 + 1}
    assert all(size > 0 for _, size in _caches(known | unknown))
    assert {processor for processor, _ in _caches(unknown)} == unknown
