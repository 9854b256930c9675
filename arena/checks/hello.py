"""Check that a bot starts, sends Hello and declares its games."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from arena.checks.steps import StepLog, StepStatus
from arena.games.registry import EVERY_GAME, game_ids, plays
from arena.records import SeatEnding
from arena.referee.model import Breakage
from arena.referee.players.connection import listen
from arena.referee.players.handshake import await_hello, start_bot
from arena.sandbox.bot_process import Launch
from arena.sandbox.image.memory import memory_base
from arena.sandbox.tempdir import temp_dir
from arena.wire.envelope import PROTOCOL, WireHello

START = "start"
HELLO = "Hello"
GAMES = "protocol and games"
_FAILED_AT = {
    SeatEnding.CRASHED: START,
    SeatEnding.OVER_LIMIT: START,
    SeatEnding.WRONG_VERSION: GAMES,
}
"""The step that fails when a bot breaks in this way; for all other ways it is HELLO."""


async def check_hello(log: StepLog, launch: Launch, start_limit_s: float) -> WireHello | None:
    """Start the bot once and return its Hello, or None if a step failed."""
    now = asyncio.get_running_loop().time
    with temp_dir(memory_base()) as folder:
        ended = asyncio.Event()
        async with listen(folder / "referee.sock", lambda: None) as connection:
            log.begin(START)
            process = start_bot(launch, connection, ended.set)
            if isinstance(process, Breakage):
                log.end(StepStatus.FAILED, process.sentence)
                return None
            try:
                since = now()
                received = await await_hello(connection, process, ended, limit_s=start_limit_s)
                took_s = now() - since
                printed = process.printed()
            finally:
                process.kill()
    failed_at = _FAILED_AT.get(received.ending, HELLO) if isinstance(received, Breakage) else None
    if failed_at != START:
        log.end(StepStatus.OK)
        log.begin(HELLO)
    if failed_at not in (START, HELLO):
        log.end(StepStatus.OK, f"after {took_s:.2f} s", figures={"hello_s": took_s})
        log.begin(GAMES)
    if isinstance(received, Breakage):
        log.end(StepStatus.FAILED, _add_hint(received.sentence), printed=printed)
        return None
    return received


def _add_hint(sentence: str) -> str:
    if sentence.startswith("it ended with exit code 0 "):
        # A common mistake: the class is written, but run() is never called.
        return f"{sentence}: does the program end with run(YourBot)?"
    return sentence


def check_games(
    log: StepLog, hello: WireHello, *, promised: Sequence[str], requested: Sequence[str]
) -> list[str]:
    """Return the games to check; none if the bot does not play what it should.

    `promised` are the games of its bot.toml, empty if there is no such file. `requested` are those
    that the user asked for, empty for all.
    """
    declared = list(dict.fromkeys(each.decode(errors="replace") for each in hello.games))
    listed = ", ".join(map(repr, declared)) or "no games"
    known = game_ids()
    games = [game_id for game_id in known if plays(declared, game_id)]
    if not games:
        log.end(StepStatus.FAILED, f"its Hello lists {listed}; the games are {', '.join(known)}")
        return []
    if promised:
        games = [game_id for game_id in games if plays(promised, game_id)]
    wanted = [game_id for game_id in requested or promised if game_id != EVERY_GAME]
    missing = [game_id for game_id in wanted if game_id not in games]
    if not games or (requested and missing):
        source = "you asked for" if requested else "bot.toml lists"
        log.end(StepStatus.FAILED, f"{source} {', '.join(missing)}, but its Hello lists {listed}")
        return []
    playing = f"protocol {PROTOCOL}, {', '.join(games)}"
    unknown = [game_id for game_id in declared if game_id not in (*known, EVERY_GAME)]
    if missing:
        warning = f"bot.toml also lists {', '.join(missing)}, but its Hello does not"
        log.end(StepStatus.WARNING, f"{playing}; {warning}")
    elif unknown:
        warning = f"its Hello also lists {', '.join(map(repr, unknown))}: no such game"
        log.end(StepStatus.WARNING, f"{playing}; {warning}")
    else:
        log.end(StepStatus.OK, playing)
    return [game_id for game_id in games if not requested or game_id in requested]
