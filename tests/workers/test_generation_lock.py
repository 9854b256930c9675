"""Events with secret deals take turns on a machine: no bot of one hears those of another."""

from __future__ import annotations

from pathlib import Path
from threading import Event, Thread

import pytest

from arena.workers.generation_lock import GenerationLock, Interrupted


def test_who_waits_for_a_generation_to_end_plays_before_the_next_one(tmp_path: Path) -> None:
    waits, played = Event(), list[str]()
    first = GenerationLock(lambda: False, tmp_path)

    def should_stop() -> bool:
        # Asked only while it waits.
        waits.set()
        return False

    second = GenerationLock(should_stop, tmp_path)

    def play() -> None:
        second.take()
        played.append("second")
        second.release()

    first.take()
    other = Thread(target=play)
    other.start()
    waits.wait()
    assert played == []
    first.take()
    assert played == ["second"]
    other.join()


def test_an_event_that_is_stopped_waits_no_longer(tmp_path: Path) -> None:
    first = GenerationLock(lambda: False, tmp_path)
    second = GenerationLock(lambda: True, tmp_path)
    first.take()
    with pytest.raises(Interrupted):
        second.take()
    first.release()
    second.take()
