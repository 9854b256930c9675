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


def test_a_turn_is_over_after_a_while_if_another_event_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.workers.generation_lock.TURN_S", 0.0)
    stopping, waits = Event(), Event()

    def should_stop() -> bool:
        waits.set()
        return stopping.is_set()

    def wait() -> None:
        with pytest.raises(Interrupted):
            second.take()

    first, second = GenerationLock(lambda: False, tmp_path), GenerationLock(should_stop, tmp_path)
    first.take()
    assert not first.is_over
    other = Thread(target=wait)
    other.start()
    waits.wait()
    assert first.is_over
    monkeypatch.setattr("arena.workers.generation_lock.TURN_S", 1e9)
    assert not first.is_over
    stopping.set()
    other.join()
