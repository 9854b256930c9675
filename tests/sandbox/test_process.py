"""A caged bot's output is read, its time measured, and it is frozen and ended."""

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

from arena.sandbox.select import select_cage
from tests.sandbox.caged_bot import PATIENCE_S, PRELUDE, Bot, processes_using, run_caged, run_to_end

both_kinds = pytest.mark.parametrize("cage_name", ["auto", "landlock"])


def test_stdout_and_stderr_are_kept_in_order() -> None:
    end = run_to_end(
        "import sys\nfor n in range(9): print(n, file=[sys.stdout, sys.stderr][n % 2])"
    )
    assert end.printed.split() == list("012345678")


def test_the_end_of_its_output_is_kept() -> None:
    output = "".join(f"line {n}\n" for n in range(50_000))
    code = "import sys\nsys.stdout.write(''.join(f'line {n}\\n' for n in range(50_000)))"
    for kib in (1, 64):
        assert run_to_end(code, limits={"stderr_kib": kib}).printed == output[-kib * 1024 :]


FLOOD = f"""{PRELUDE}
def flood():
    while True:
        os.write(1, bytes(1 << 16))
threading.Thread(target=flood, daemon=True).start()
"""


def test_a_flood_of_output_costs_no_memory() -> None:
    async def run() -> None:
        code = f"{PRELUDE}for n in range(32): os.write(1, bytes(1 << 16))\nsend('done')\nreceive()"
        async with run_caged(code) as bot:
            tracemalloc.start()
            assert await bot.receive() == "done"
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
        code = f"{PRELUDE}receive()\nfor n in range(50_000): os.write(1, b'xy')\nsend('done')"
        async with run_caged(code) as bot:
            await bot.send("go")
            selector.woken = 0
            assert await bot.receive() == "done"

    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(selector)) as runner:
        runner.run(run())
    assert 0 < selector.woken < 1_000


@pytest.mark.parametrize("code", ["receive(); os._exit(3)", "receive(); os.kill(os.getpid(), 11)"])
def test_a_flood_of_output_does_not_delay_the_end(code: str) -> None:
    async def run() -> None:
        async with run_caged(f"{FLOOD}send('there'); {code}") as bot:
            assert await bot.receive() == "there"
            await bot.send("end")
            end = await bot.wait_for_exit()
            assert end.how in ("ended with exit code 3", "was ended by SIGSEGV")

    asyncio.run(run())


@both_kinds
@pytest.mark.parametrize(
    ("code", "how"),
    [
        ("pass", "ended with exit code 0"),
        ("os._exit(255)", "ended with exit code 255"),
        ("raise ValueError", "ended with exit code 1"),
        ("os.kill(os.getpid(), signal.SIGTERM)", "was ended by SIGTERM"),
        ("os.abort()", "was ended by SIGABRT"),
    ],
)
def test_its_exit_is_described(cage_name: str, code: str, how: str) -> None:
    assert run_to_end(f"{PRELUDE}{code}", cage_name=cage_name).how == how


SYSTEM_CALLS = """
import ctypes, resource
call = ctypes.CDLL(None, use_errno=True).syscall
"""


@both_kinds
@pytest.mark.parametrize(
    "code",
    [
        "os.kill(os.getpid(), 9)",
        "signal.pthread_kill(threading.get_ident(), 9)",
        "signal.raise_signal(9)",
        "resource.setrlimit(resource.RLIMIT_CPU, (1, 1))\nwhile True: pass",
        "resource.prlimit(0, resource.RLIMIT_CPU, (1, 1))\nwhile True: pass",
        "os._exit(137)",
        "os._exit(-119)",
    ],
)
def test_no_bot_ends_as_if_the_machine_had_ended_it(cage_name: str, code: str) -> None:
    end = run_to_end(f"{PRELUDE}{SYSTEM_CALLS}{code}\nos._exit(3)", cage_name=cage_name)
    assert end.how in ("ended with exit code 1", "ended with exit code 3", "was ended by SIGSEGV")


@both_kinds
@pytest.mark.parametrize("target", ["the bot", "what was started"])
def test_a_bot_that_is_killed_from_outside_is_not_at_fault(cage_name: str, target: str) -> None:
    async def run() -> None:
        async with run_caged(f"{PRELUDE}send('there'); receive()", cage_name=cage_name) as bot:
            assert await bot.receive() == "there"
            assert bot.process.outside_end() is None
            pid = bot.process.bot_pid() if target == "the bot" else bot.process.pid
            assert pid
            os.kill(pid, signal.SIGKILL)
            end = await bot.wait_for_exit()
            assert end.how == "was ended by SIGKILL"
            outside = bot.process.outside_end()
            assert outside
            assert outside.startswith("a bot was ended by SIGKILL from outside")
            assert bot.process.machine_fault() is None

    asyncio.run(run())


def test_a_program_that_cannot_be_started_prints_why() -> None:
    end = run_to_end("", command=("python", "nothing.py"))
    assert end.how == "ended with exit code 2"
    assert "can't open file '/bot/nothing.py'" in end.printed


@both_kinds
def test_the_processor_time_of_all_threads_is_counted(cage_name: str) -> None:
    code = f"""{PRELUDE}
threads = [threading.Thread(target=burn, args=(0.2,)) for n in range(2)]
for thread in threads: thread.start()
for thread in threads: thread.join()
send(time.process_time()); receive()
"""

    async def run() -> None:
        async with run_caged(code, cage_name=cage_name) as bot:
            own_count_s = float(await bot.receive())
            assert own_count_s <= bot.process.cpu_s() < 1.5 * own_count_s
            assert own_count_s > 0.4

    asyncio.run(run())


def test_its_processor_time_is_known_after_its_end() -> None:
    async def run() -> None:
        async with run_caged(f"{PRELUDE}burn(0.3); send('done'); receive()") as bot:
            await bot.receive()
            used = bot.process.cpu_s()
            await bot.send("end")
            await bot.wait_for_exit()
            assert bot.process.cpu_s() >= used > 0.3

    asyncio.run(run())


@both_kinds
def test_a_bot_killed_at_once_can_still_be_queried(cage_name: str) -> None:
    async def run() -> None:
        async with run_caged("", cage_name=cage_name) as bot:
            bot.process.kill()
            bot.process.freeze()
            bot.process.thaw()
            assert bot.process.cpu_s() == 0.0
            assert bot.process.describe_exit() == "was ended by SIGKILL"

    asyncio.run(run())


@both_kinds
def test_a_dying_bot_is_noticed_before_its_exit_is_reported(cage_name: str) -> None:
    async def run() -> None:
        async with run_caged(f"{PRELUDE}send('there'); receive()", cage_name=cage_name) as bot:
            assert await bot.receive() == "there"
            assert not bot.process.is_ending()
            pid = bot.process.bot_pid()
            assert pid is not None
            os.kill(pid, signal.SIGKILL)
            deadline = time.monotonic() + PATIENCE_S
            while not bot.process.is_ending():
                assert time.monotonic() < deadline
            assert bot.process.is_running, "its exit was reported too early"

    asyncio.run(run())


MAIN_THREAD_ENDS = f"""{PRELUDE}
import ctypes
threading.Thread(target=time.sleep, args=(3600,)).start()
send('going')
ctypes.CDLL(None).syscall({{"x86_64": 60, "aarch64": 93}}[os.uname().machine], 0)
"""


@both_kinds
def test_a_bot_whose_main_thread_has_ended_is_not_ending_while_others_live(cage_name: str) -> None:
    async def run() -> None:
        async with run_caged(MAIN_THREAD_ENDS, cage_name=cage_name) as bot:
            assert await bot.receive() == "going"
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
def test_a_frozen_bot_uses_no_processor_time(cage_name: str) -> None:
    code = f"{PRELUDE}threading.Thread(target=burn, args=(600,), daemon=True).start()\n"
    code += "send('there')\nwhile True: send(receive())"

    async def run() -> None:
        async with run_caged(code, cage_name=cage_name) as bot:
            await bot.receive()
            bot.process.freeze()
            used = await wait_until_stopped(bot)
            await asyncio.sleep(0.1)
            assert bot.process.cpu_s() == used
            bot.process.thaw()
            await bot.send("again")
            assert await bot.receive() == "again"
            assert bot.process.cpu_s() > used

    asyncio.run(run())


async def wait_until_stopped(bot: Bot) -> float:
    """Wait until all threads of a frozen bot have stopped; return its CPU time."""
    async with asyncio.timeout(PATIENCE_S):
        while set(thread_states(bot)) != {"T"}:
            await asyncio.sleep(0.01)
    return bot.process.cpu_s()


def thread_states(bot: Bot) -> list[str]:
    """Return the state of each thread of a bot (proc(5))."""
    stats = Path(f"/proc/{bot.process.bot_pid()}/task").glob("*/stat")
    return [stat.read_text().rpartition(")")[2].split()[0] for stat in stats]


@both_kinds
def test_a_kill_leaves_nothing_behind(cage_name: str, base: Path) -> None:
    async def run() -> None:
        async with run_caged(f"{FLOOD}send('there'); receive()", cage_name=cage_name) as bot:
            await bot.receive()
            assert processes_using(base.name)
            assert os.listdir(base)
            bot.process.kill()
            await wait_until_unused(base)
            bot.process.kill()
            assert not bot.ended.is_set()

    select_cage(cage_name)
    # Descriptors of other tests may be closed in the meantime.
    before = set(os.listdir("/proc/self/fd"))
    asyncio.run(run())
    gc.collect()
    assert os.listdir(base) == []
    assert set(os.listdir("/proc/self/fd")) <= before


async def wait_until_unused(base: Path) -> None:
    """Wait until no process uses a folder: the kernel takes a moment to end a killed one."""
    async with asyncio.timeout(PATIENCE_S):
        while processes_using(base.name):
            await asyncio.sleep(0.001)
