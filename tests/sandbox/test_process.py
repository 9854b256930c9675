"""Is a caged bot listened to, timed, frozen and ended as it should be?"""

from __future__ import annotations

import asyncio
import gc
import os
import selectors
import signal
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from arena.sandbox.cages import cage_named
from tests.sandbox.caged import PATIENCE_S, PRELUDE, Bot, caged, end_of, who_sees

both_kinds = pytest.mark.parametrize("way", ["auto", "landlock"])


def test_both_outputs_are_kept_in_order() -> None:
    end = end_of("import sys\nfor n in range(9): print(n, file=[sys.stdout, sys.stderr][n % 2])")
    assert end.printed.split() == list("012345678")


def test_the_last_that_it_printed_is_kept() -> None:
    said = "".join(f"line {n}\n" for n in range(50_000))
    code = "import sys\nsys.stdout.write(''.join(f'line {n}\\n' for n in range(50_000)))"
    for kib in (1, 64):
        assert end_of(code, limits={"stderr_kib": kib}).printed == said[-kib * 1024 :]


FLOOD = f"""{PRELUDE}
def flood():
    while True:
        os.write(1, bytes(1 << 16))
threading.Thread(target=flood, daemon=True).start()
"""


def test_a_flood_of_output_costs_no_memory() -> None:
    async def run() -> None:
        code = f"{PRELUDE}for n in range(32): os.write(1, bytes(1 << 16))\nsay('done')\nhear()"
        async with caged(code) as bot:
            tracemalloc.start()
            assert await bot.said() == "done"
            _, peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            assert len(bot.process.printed()) == 64 << 10
            assert peak < 512 << 10

    asyncio.run(run())


def test_a_trickle_of_output_does_not_keep_the_referee_busy() -> None:
    class Counting(selectors.DefaultSelector):
        woken = 0

        def select(self, timeout: float | None = None) -> Any:
            self.woken += 1
            return super().select(timeout)

    selector = Counting()

    async def run() -> None:
        code = f"{PRELUDE}hear()\nfor n in range(50_000): os.write(1, b'xy')\nsay('done')"
        async with caged(code) as bot:
            await bot.tell("go")
            selector.woken = 0
            assert await bot.said() == "done"

    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(selector)) as runner:
        runner.run(run())
    assert 0 < selector.woken < 1_000


@pytest.mark.parametrize("code", ["hear(); os._exit(3)", "hear(); os.kill(os.getpid(), 11)"])
def test_a_flood_of_output_does_not_hold_up_the_end(code: str) -> None:
    async def run() -> None:
        async with caged(f"{FLOOD}say('there'); {code}") as bot:
            assert await bot.said() == "there"
            await bot.tell("end")
            end = await bot.end()
            assert end.how in ("ended with exit code 3", "was ended by SIGSEGV")

    asyncio.run(run())


@both_kinds
@pytest.mark.parametrize(
    ("code", "how"),
    [
        ("pass", "ended with exit code 0"),
        ("os._exit(3)", "ended with exit code 3"),
        ("os._exit(255)", "ended with exit code 255"),
        ("raise ValueError", "ended with exit code 1"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "was ended by SIGKILL"),
        ("os.kill(os.getpid(), signal.SIGTERM)", "was ended by SIGTERM"),
        ("os.abort()", "was ended by SIGABRT"),
    ],
)
def test_it_is_told_how_it_ended(way: str, code: str, how: str) -> None:
    assert end_of(f"{PRELUDE}{code}", way=way).how == how


def test_a_program_that_cannot_be_started_says_so_itself() -> None:
    end = end_of("", command=("python", "nothing.py"))
    assert end.how == "ended with exit code 2"
    assert "can't open file '/bot/nothing.py'" in end.printed


@both_kinds
def test_all_threads_are_charged(way: str) -> None:
    code = f"""{PRELUDE}
threads = [threading.Thread(target=burn, args=(0.2,)) for n in range(2)]
for thread in threads: thread.start()
for thread in threads: thread.join()
say(time.process_time()); hear()
"""

    async def run() -> None:
        async with caged(code, way=way) as bot:
            said = float(await bot.said())
            assert said <= bot.process.cpu_s() < said + 0.1
            assert said > 0.4

    asyncio.run(run())


@pytest.mark.parametrize(
    "code",
    [
        "if not os.fork(): burn(0.4); say('done'); time.sleep(600)",
        "if not os.fork(): burn(0.4); os._exit(0)\nos.wait(); say('done')",
        "if not os.fork():\n  if os.fork(): os._exit(0)\n  burn(0.4); say('done'); time.sleep(600)",
    ],
    ids=["a child", "a child that has ended", "a child's child that nobody waits for"],
)
def test_other_processes_are_charged(code: str) -> None:
    async def run() -> None:
        async with caged(f"{PRELUDE}{code}\ntime.sleep(600)", limits={"processes": 2}) as bot:
            assert await bot.said() == "done"
            # The kernel counts processes that are not asked themselves in hundredths.
            assert 0.35 < bot.process.cpu_s() < 0.8

    asyncio.run(run())


def test_what_it_used_is_known_after_its_end() -> None:
    async def run() -> None:
        async with caged(f"{PRELUDE}burn(0.3); say('done'); hear()") as bot:
            await bot.said()
            used = bot.process.cpu_s()
            await bot.tell("end")
            await bot.end()
            assert bot.process.cpu_s() >= used > 0.3

    asyncio.run(run())


@both_kinds
def test_one_that_is_killed_at_once_can_still_be_asked(way: str) -> None:
    async def run() -> None:
        async with caged("", way=way) as bot:
            bot.process.kill()
            bot.process.freeze()
            bot.process.thaw()
            assert bot.process.cpu_s() == 0.0
            assert bot.process.how_it_ended() == "was ended by SIGKILL"

    asyncio.run(run())


@both_kinds
def test_one_that_is_about_to_end_is_known_before_its_end_is_heard_of(way: str) -> None:
    async def run() -> None:
        async with caged(f"{PRELUDE}say('there'); hear()", way=way) as bot:
            assert await bot.said() == "there"
            assert not bot.process.is_ending()
            pid = bot.process.bot_pid()
            assert pid is not None
            os.kill(pid, signal.SIGKILL)
            deadline = time.monotonic() + PATIENCE_S
            while not bot.process.is_ending():
                assert time.monotonic() < deadline
            assert bot.process.is_running, "nobody has listened meanwhile"

    asyncio.run(run())


FADING = f"""{PRELUDE}
import ctypes
threading.Thread(target=time.sleep, args=(3600,)).start()
say('going')
ctypes.CDLL(None).syscall({{"x86_64": 60, "aarch64": 93}}[os.uname().machine], 0)
"""


@both_kinds
def test_a_bot_whose_main_thread_has_ended_is_not_ending_while_others_live(way: str) -> None:
    async def run() -> None:
        async with caged(FADING, way=way) as bot:
            assert await bot.said() == "going"
            pid = bot.process.bot_pid()
            state = Path(f"/proc/{pid}/stat")
            while state.read_text().rpartition(")")[2].split()[0] != "Z":
                await asyncio.sleep(0.01)
            assert not bot.process.is_ending()
            bot.process.end()
            async with asyncio.timeout(PATIENCE_S):
                await bot.ended.wait()
            assert bot.process.is_ending()

    asyncio.run(run())


@both_kinds
def test_a_frozen_bot_uses_no_processor_time(way: str) -> None:
    code = f"{PRELUDE}threading.Thread(target=burn, args=(600,), daemon=True).start()\n"
    code += "say('there')\nwhile True: say(hear())"

    async def run() -> None:
        async with caged(code, way=way) as bot:
            await bot.said()
            bot.process.freeze()
            used = await settled(bot)
            await asyncio.sleep(0.2)
            assert bot.process.cpu_s() == used
            bot.process.thaw()
            await bot.tell("again")
            assert await bot.said() == "again"
            assert bot.process.cpu_s() > used

    asyncio.run(run())


@pytest.mark.parametrize("groups", [True, False], ids=["with groups", "without"])
def test_all_processes_are_frozen(groups: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not groups:
        forbid_groups(monkeypatch)
    code = f"{PRELUDE}for n in range(3): os.fork() or burn(600)\nsay('there')\nburn(600)"

    async def run() -> None:
        async with caged(code, limits={"processes": 3}) as bot:
            await bot.said()
            bot.process.freeze()
            used = await settled(bot)
            await asyncio.sleep(0.2)
            assert bot.process.cpu_s() == used

    asyncio.run(run())


async def settled(bot: Bot) -> float:
    """Wait until a frozen bot has stopped, which takes a moment; return what it has used."""
    used = -1.0
    async with asyncio.timeout(PATIENCE_S):
        while bot.process.cpu_s() != used:
            used = bot.process.cpu_s()
            await asyncio.sleep(0.05)
    return used


@pytest.mark.parametrize("groups", [True, False], ids=["with groups", "without"])
def test_children_whose_ends_nobody_hears_of_are_charged(
    groups: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not groups:
        forbid_groups(monkeypatch)
    code = f"""{PRELUDE}
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for n in range(8):
    read, write = os.pipe()
    if not os.fork():
        burn(0.1)
        os._exit(0)
    os.close(write)
    os.read(read, 1)
say('done'); hear()
"""

    async def run() -> None:
        async with caged(code, limits={"processes": 2}) as bot:
            assert await bot.said() == "done"
            # Without a group, what they used since the last look is not known.
            assert (0.8 if groups else 0.4) < bot.process.cpu_s() < 1.6

    asyncio.run(run())


def test_what_is_waited_for_is_not_charged_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    forbid_groups(monkeypatch)
    code = f"""{PRELUDE}
for n in range(20):
    if not os.fork():
        burn(0.035)
        os._exit(0)
    os.wait()
say(sum(os.times()[:4])); hear()
"""

    async def run() -> None:
        async with caged(code, limits={"processes": 2}) as bot:
            said = float(await bot.said())
            assert said > 0.7
            assert said - 0.1 < bot.process.cpu_s() < said + 0.1

    asyncio.run(run())


def forbid_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have bots watched as where no control groups can be had."""
    monkeypatch.setattr("arena.sandbox.cage.group_for", lambda place: None)


@both_kinds
def test_a_kill_leaves_nothing(way: str, base: Path) -> None:
    async def run() -> None:
        async with caged(f"{FLOOD}say('there'); hear()", way=way) as bot:
            await bot.said()
            assert who_sees(base.name)
            assert os.listdir(base)
            bot.process.kill()
            await gone(base)
            bot.process.kill()
            assert not bot.ended.is_set()

    cage_named(way)
    # What other tests have left open may be closed meanwhile.
    before = set(os.listdir("/proc/self/fd"))
    asyncio.run(run())
    gc.collect()
    assert os.listdir(base) == []
    assert set(os.listdir("/proc/self/fd")) <= before


async def gone(base: Path) -> None:
    """Wait until no process sees a folder: the kernel takes a moment to end a killed one."""
    async with asyncio.timeout(PATIENCE_S):
        while who_sees(base.name):
            await asyncio.sleep(0.001)
