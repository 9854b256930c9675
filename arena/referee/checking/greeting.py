"""Does a bot start, and does it say hello as it should?"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from arena.games.registry import GAME_IDS
from arena.records import SeatEnding
from arena.referee.checking.steps import Book, Verdict
from arena.referee.desk import Breakage
from arena.referee.players.line import Line
from arena.referee.players.opening import greeted, started
from arena.sandbox.places import fresh
from arena.sandbox.process import Launch
from arena.wire.messages import PROTOCOL
from arena.wire.v1.match_pb2 import Hello

STARTS = "it starts"
HELLO = "it says hello"
GAMES = "its protocol and games"
_FAILED_AT = {
    SeatEnding.CRASHED: STARTS,
    SeatEnding.OVER_LIMIT: STARTS,
    SeatEnding.WRONG_VERSION: GAMES,
}
"""By how a bot broke, the step at which it failed; in any other way that is its hello."""


async def hello_of(book: Book, launch: Launch, start_limit_s: float) -> Hello | None:
    """Start the bot once and hear its hello; None if that failed."""
    now = asyncio.get_running_loop().time
    with fresh() as folder:
        ended = asyncio.Event()
        async with Line(folder / "referee.sock", _nothing) as line:
            book.begin(STARTS)
            process = started(launch, line, ended.set)
            if isinstance(process, Breakage):
                book.end(Verdict.FAILED, process.sentence)
                return None
            try:
                since = now()
                heard = await greeted(line, process, ended, limit_s=start_limit_s)
                took_s = now() - since
                printed = process.printed()
            finally:
                process.kill()
    failed_at = _FAILED_AT.get(heard.ending, HELLO) if isinstance(heard, Breakage) else None
    if failed_at != STARTS:
        book.end(Verdict.OK)
        book.begin(HELLO)
    if failed_at not in (STARTS, HELLO):
        book.end(Verdict.OK, f"after {took_s:.2f} s", figures={"hello_s": took_s})
        book.begin(GAMES)
    if isinstance(heard, Breakage):
        book.end(Verdict.FAILED, _explained(heard.sentence), printed=printed)
        return None
    return heard


def _explained(sentence: str) -> str:
    if sentence.startswith("it ended with exit code 0 "):
        # The commonest way to forget something: a class, and nobody to run it.
        return f"{sentence}: does its program end with run(YourBot)?"
    return sentence


def _nothing() -> None:
    pass


def games_of(
    book: Book, hello: Hello, *, promised: Sequence[str], wanted: Sequence[str]
) -> list[str]:
    """Settle which games to check; none if the bot does not play what it should.

    `promised` are those of its bot.toml, none if it has no such file; `wanted` are those that the
    user asked for, none meaning all.
    """
    said = list(dict.fromkeys(hello.games))
    told = ", ".join(map(repr, said)) or "no game"
    games = [game_id for game_id in GAME_IDS if game_id in said]
    if not games:
        known = ", ".join(GAME_IDS)
        book.end(Verdict.FAILED, f"its hello names {told}: the games are {known}")
        return []
    if promised:
        games = [game_id for game_id in games if game_id in promised]
    missing = [game_id for game_id in wanted or promised if game_id not in games]
    if not games or (wanted and missing):
        whose = "you asked for" if wanted else "bot.toml promises"
        book.end(Verdict.FAILED, f"{whose} {', '.join(missing)}, and its hello names {told}")
        return []
    playing = f"protocol {PROTOCOL}, {', '.join(games)}"
    unknown = [game_id for game_id in said if game_id not in GAME_IDS]
    if missing:
        oddity = f"bot.toml promises {', '.join(missing)} as well, its hello does not"
        book.end(Verdict.WARNING, f"{playing}; {oddity}")
    elif unknown:
        oddity = f"its hello names {', '.join(map(repr, unknown))}, which is no game here"
        book.end(Verdict.WARNING, f"{playing}; {oddity}")
    else:
        book.end(Verdict.OK, playing)
    return [game_id for game_id in games if not wanted or game_id in wanted]
