"""A bot that exceeds a limit is ended, with the figure; a bot within its limits is not."""

from __future__ import annotations

import asyncio
import re

import pytest

from arena.sandbox.limits.syscalls import supported_machine
from arena.sandbox.limits.watchdog import CHECK_S
from tests.sandbox.caged_bot import PRELUDE, run_caged, run_to_end
from tests.sandbox.filter_calls import ORDINARY

HOARD = "hoard = bytes(range(256)) * (4096 * {mib})\n"
"""Memory that is really in use."""
WAIT = "time.sleep(600)\n"
THREADS = r"threads \d+ of 64"

both_kinds = pytest.mark.parametrize("cage_name", ["auto", "landlock"])


def test_too_much_memory_ends_it() -> None:
    end = run_to_end(PRELUDE + HOARD.format(mib=110) + WAIT, limits={"memory_mib": 100})
    found = re.fullmatch(r"memory (\d+) MiB of 100", end.over_limit or "")
    assert found, end
    assert 100 < int(found[1]) < 200
    assert end.how == "was ended by SIGKILL"


@pytest.mark.slow
def test_each_match_allows_more_processor_time() -> None:
    async def run() -> None:
        async with run_caged(
            f"{PRELUDE}burn(1.2); send('more'); burn(600)", limits={"cpu_s": 1}
        ) as bot:
            bot.process.add_matches(1)
            bot.process.add_matches(1)
            assert await bot.receive() == "more"
            assert bot.process.over_limit() is None
            over = (await bot.wait_for_exit()).over_limit
            assert re.fullmatch(r"CPU time \d+\.\d s of 2", over or ""), over

    asyncio.run(run())


@pytest.mark.parametrize(
    "code",
    [
        HOARD.format(mib=60),
        "open('/tmp/big', 'wb').write(bytes(2 << 20))",
        "for n in range(10): open(f'/tmp/{n}', 'w').close()",
        "burn(0.3)",
    ],
    ids=["memory", "/tmp", "files in /tmp", "CPU time"],
)
def test_a_bot_within_a_limit_keeps_running(code: str) -> None:
    limits = {"memory_mib": 100, "tmp_mib": 2, "tmp_files": 10, "cpu_s": 2}

    async def run() -> None:
        async with run_caged(f"{PRELUDE}{code}\nsend('there')\nreceive()", limits=limits) as bot:
            assert await bot.receive() == "there"
            bot.process.check_limits()
            assert bot.process.over_limit() is None
            await bot.send("end")
            end = await bot.wait_for_exit()
            assert (end.over_limit, end.how) == (None, "ended with exit code 0"), end

    asyncio.run(run())


def test_a_bot_that_was_idle_is_ended_when_it_uses_too_much() -> None:
    async def run() -> None:
        code = f"{PRELUDE}send('there')\nreceive()\n{HOARD.format(mib=110)}{WAIT}"
        async with run_caged(code, limits={"memory_mib": 100}) as bot:
            assert await bot.receive() == "there"
            await asyncio.sleep(5 * CHECK_S)
            await bot.send("hoard")
            end = await bot.wait_for_exit()
            assert re.fullmatch(r"memory \d+ MiB of 100", end.over_limit or ""), end

    asyncio.run(run())


def test_a_bot_that_the_kernel_refuses_files_is_not_over_a_limit() -> None:
    code = f"{PRELUDE}files = [open('/bot/bot.py') for n in range(100)]"
    end = run_to_end(code, limits={"files": 64})
    assert (end.over_limit, end.how) == (None, "ended with exit code 1")
    assert "OSError: [Errno 24] Too many open files" in end.printed


IDLE = """
import os, threading, time
threading.stack_size(64 << 10)
def start(count):
    for n in range(count):
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
"""


@both_kinds
def test_a_bot_may_have_as_many_threads_as_it_is_allowed(cage_name: str) -> None:
    async def run() -> None:
        code = f"{PRELUDE}{IDLE}start(63)\nsend('there')\nreceive()"
        async with run_caged(code, cage_name=cage_name) as bot:
            assert await bot.receive() == "there"
            bot.process.check_limits()
            assert bot.process.over_limit() is None

    asyncio.run(run())


HEADLESS = """
import ctypes
def work():
    {work}
    time.sleep(600)
threading.Thread(target=work).start()
ctypes.CDLL(None).syscall({exit}, 0)
"""
"""A bot whose first thread ends; after that, the kernel shows less of the process."""
_EXIT = ORDINARY["exit"].number_on(supported_machine() or "")


@pytest.mark.parametrize("cage_name", ["auto", pytest.param("landlock", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("work", "over"),
    [
        ("hoard = bytes(range(256)) * (4096 * 110)", r"memory 1\d\d MiB of 100"),
        ("burn(600)", r"CPU time [1-9]\d*\.\d s of 1"),
        ("start(80)", THREADS),
    ],
    ids=["memory", "CPU time", "threads"],
)
def test_a_bot_whose_first_thread_has_ended_is_still_watched(
    cage_name: str, work: str, over: str
) -> None:
    code = PRELUDE + IDLE + HEADLESS.format(work=work, exit=_EXIT)
    end = run_to_end(code, cage_name=cage_name, limits={"memory_mib": 100, "cpu_s": 1})
    assert re.fullmatch(over, end.over_limit or ""), end


def test_tmp_is_watched_after_the_first_thread_has_ended() -> None:
    work = "for n in range(12): os.mkdir(f'/tmp/{n}')"
    end = run_to_end(PRELUDE + HEADLESS.format(work=work, exit=_EXIT), limits={"tmp_files": 10})
    assert re.fullmatch(r"/tmp 1[12] files of 10", end.over_limit or ""), end
