"""Does a bot start, and does it say hello as it should?"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from arena.games.registry import GAME_IDS
from arena.records import SeatEnding
from arena.referee.checking.steps import Book, Verdict
from arena.referee.players.hearing import Nonsense, hello_in
from arena.referee.players.line import Line
from arena.referee.players.remote import Launch
from arena.sandbox.places import fresh
from arena.sandbox.process import Process
from arena.wire.messages import PROTOCOL
from arena.wire.v1.match_pb2 import Hello

STARTS = "it starts"
HELLO = "it says hello"
GAMES = "its protocol and games"
_LAST_WORDS_S = 0.5
"""So long a bot that hung up may take to end."""


async def greeted(book: Book, launch: Launch, start_limit_s: float) -> Hello | None:
    """Start the bot once and hear its hello; None if that failed."""
    with fresh() as folder:
        ended = asyncio.Event()
        async with Line(folder / "referee.sock", _nothing) as line:
            book.begin(STARTS)
            try:
                process = launch(line.socket, ended.set)
            except OSError as error:
                book.end(Verdict.FAILED, f"the system cannot start it: {error}")
                return None
            try:
                return await _heard(book, line, process, ended, start_limit_s)
            finally:
                process.kill()


async def _heard(
    book: Book, line: Line, process: Process, ended: asyncio.Event, start_limit_s: float
) -> Hello | None:
    now = asyncio.get_running_loop().time
    since = now()
    try:
        async with asyncio.timeout(start_limit_s):
            heard = await line.first_message(ended)
    except TimeoutError:
        book.end(Verdict.OK)
        book.begin(HELLO)
        sentence = f"it did not say hello within {start_limit_s:g} s"
        book.end(Verdict.FAILED, sentence, printed=process.printed())
        return None
    if heard is None:
        await _gone(book, process, ended)
        return None
    took_s = now() - since
    book.end(Verdict.OK)
    book.begin(HELLO)
    hello = hello_in(heard)
    if isinstance(hello, Hello) or hello.ending is SeatEnding.WRONG_VERSION:
        book.end(Verdict.OK, f"after {took_s:.2f} s", figures={"hello_s": took_s})
        book.begin(GAMES)
    if isinstance(hello, Nonsense):
        book.end(Verdict.FAILED, hello.sentence, printed=process.printed())
        return None
    return hello


async def _gone(book: Book, process: Process, ended: asyncio.Event) -> None:
    """Tell a bot that ended from one that hung up and lives on."""
    try:
        async with asyncio.timeout(_LAST_WORDS_S):
            await ended.wait()
    except TimeoutError:
        book.end(Verdict.OK)
        book.begin(HELLO)
        sentence = "it closed the conversation before it said hello"
    else:
        sentence = f"it {process.how_it_ended()} before it said hello"
        if sentence.startswith("it ended with exit code 0 "):
            # The commonest way to forget something: a class, and nobody to run it.
            sentence += ": does its program end with run(YourBot)?"
    over = process.over_limit()
    if over:
        sentence = f"it went over a limit: {over}"
    book.end(Verdict.FAILED, sentence, printed=process.printed())


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
