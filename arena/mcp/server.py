"""The tools and resources that a client of the Model Context Protocol may use."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import wraps
from inspect import iscoroutinefunction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import arena
from arena.errors import ArenaError, BadInput
from arena.games.registry import all_games, game_named
from arena.mcp.commands import Done, path_inside, run, word
from arena.mcp.matches import ClientMatch, ClientMatches, Turn
from arena.sandbox.tempdir import temp_dir

if TYPE_CHECKING:
    from mcp.server import MCPServer

_INSTRUCTIONS = """\
Tournaments between bots at four tabletop games with hidden cards. To play, call list_games, \
read_rules and start_match, then act until the match is over. To write a bot, call new_bot, edit \
its bot.py, then check_bot, compare_bots and submit_bot. Paths are relative to the folder that the \
server was started in."""
_WAIT_S = 120.0
"""How long a call waits for the other players."""
_ANALYSED_S = 0.05
_DOCS = Path(arena.__file__).parent / "docs"

Function = Callable[..., Any]
Offer = Callable[[Function], object]
"""Offers a function to clients as a tool."""


@dataclass(frozen=True)  # the SDK reads no slots
class GameFacts:
    """A game, with what `start_match` takes."""

    game: str
    title: str
    seats: list[int]
    variants: list[str]


def make_server(*, league: Path, cage: str, is_organiser: bool = False) -> MCPServer[Any]:
    """Return a server; only with `is_organiser` may its clients run events."""
    try:
        # Imported here: it is an extra.
        from mcp.server import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
    except ModuleNotFoundError:
        raise BadInput("this needs the package mcp: run `pip install arena-league[mcp]`") from None

    matches = ClientMatches(cage=cage, league=str(league))

    @asynccontextmanager
    async def lifespan(server: MCPServer[Any]) -> AsyncGenerator[None, None]:
        try:
            yield
        finally:
            matches.leave_all()

    server = MCPServer(
        "arena",
        title="Arena",
        version=arena.__version__,
        instructions=_INSTRUCTIONS,
        lifespan=lifespan,
        log_level="WARNING",
    )

    def tool(function: Function) -> Function:
        """Offer a function as a tool; its errors become results that a model can read."""

        @wraps(function)
        async def call_async(*words: Any, **options: Any) -> Any:
            try:
                return await function(*words, **options)
            except ArenaError as error:
                raise ToolError(str(error)) from None

        @wraps(function)
        def call(*words: Any, **options: Any) -> Any:
            try:
                return function(*words, **options)
            except ArenaError as error:
                raise ToolError(str(error)) from None

        server.tool(structured_output=True)(call_async if iscoroutinefunction(function) else call)
        return function

    _add_player_tools(tool, matches)
    _add_author_tools(tool, str(league), cage)
    if is_organiser:
        _add_organiser_tools(tool, str(league), cage)

    @server.resource("rules://{game}", mime_type="text/markdown")
    def rules(game: str) -> str:
        """The rules of a game, exactly as they are played."""
        return game_named(game).rules()

    @server.resource("docs://{page}", mime_type="text/markdown")
    def page(page: str) -> str:
        """A page of the documentation: sdk, bots, games, events and others."""
        pages = {path.stem: path for path in _DOCS.glob("*.md")}
        if page not in pages:
            raise BadInput(f"no such page: {page!r}; choose from {', '.join(sorted(pages))}")
        return pages[page].read_text(encoding="utf-8")

    @server.resource("log://{match}", mime_type="text/plain")
    def log(match: str) -> str:
        """What happened in public in a match that is over."""
        replay = _finished(matches.find(match))
        return "\n".join(replay.narrate())

    return server


def _finished(match: ClientMatch) -> arena.Replay:
    if match.replay is None:
        raise BadInput(match.failure or "the match is not over yet")
    return match.replay


def _add_player_tools(tool: Offer, matches: ClientMatches) -> None:
    @tool
    def list_games() -> list[GameFacts]:
        """List the games, with the numbers of players and the variants of each."""
        return [
            GameFacts(
                game=game.id,
                title=game.title,
                seats=list(game.seat_counts),
                variants=list(game.variants),
            )
            for game in all_games()
        ]

    @tool
    def read_rules(game: str) -> str:
        """Read the rules of a game, exactly as they are played."""
        return game_named(game).rules()

    @tool
    def start_match(
        game: str,
        opponents: list[str],
        seat: int = 0,
        variant: str = "",
        seed: int | None = None,
    ) -> Turn:
        """Start a match and return the first turn; `match` in it is the key for all other calls.

        Opponents are names of bots, such as random, greedy-meow or search, or paths of bots; there
        is one for each seat but yours. Without a seed, the deal is a new one.
        """
        players = [path_inside(each) if "/" in each else word(each) for each in opponents]
        return matches.start(game, players, seat, variant, seed).wait(_WAIT_S)

    @tool
    def view(match: str) -> Turn:
        """Look at a match: the table as your seat sees it, and what happened since you looked."""
        return matches.find(match).wait(0.0)

    @tool
    def act(match: str, move: str) -> Turn:
        """Make a move, in the notation of `legal_moves`; return your next turn, or the result.

        A move that is not legal changes nothing: the error says why, and you may try again.
        """
        found = matches.find(match)
        found.act(move)
        return found.wait(_WAIT_S)

    @tool
    def leave_match(match: str) -> str:
        """Leave a match, which ends and does not count."""
        matches.find(match).leave()
        return "You left the match."

    @tool
    async def analyse_match(match: str) -> Done:
        """List your worst decisions in a match that is over, as a strong bot sees them."""
        found = matches.find(match)
        replay = _finished(found)
        with temp_dir() as folder:
            path = folder / "match.replay"
            replay.save(path)
            seat = ("--seat", str(found.seat), "--think", str(_ANALYSED_S))
            return await run("replay", "analyse", str(path), *seat)


def _add_author_tools(tool: Offer, league: str, cage: str) -> None:
    caged, stored = ("--cage", cage), ("--db", league)

    @tool
    async def new_bot(folder: str, game: str, language: str = "python") -> Done:
        """Create a folder with a working bot to start from; edit its bot.py."""
        return await run(
            "new", path_inside(folder), "--game", word(game), "--language", word(language)
        )

    @tool
    async def check_bot(bot: str) -> Done:
        """Check step by step whether a bot is ready for a league; say which step fails, and why."""
        return await run("check", path_inside(bot), *caged, *stored)

    @tool
    async def compare_bots(new: str, old: str, game: str, deals: int = 50) -> Done:
        """Find out whether a bot is better than another, and how sure that is."""
        bots = path_inside(new), path_inside(old)
        limit = str(max(1, min(deals, 10_000)))
        return await run("compare", *bots, "--game", word(game), "--deals", limit, *caged, *stored)

    @tool
    async def play_match(
        game: str, players: list[str], save: str = "", seed: int | None = None
    ) -> Done:
        """Play a match between bots, and save its replay to a file if one is named."""
        words = [path_inside(each) for each in players]
        options = ["--save", path_inside(save)] if save else []
        options += [] if seed is None else ["--seed", str(seed)]
        return await run("play", word(game), *words, *options, *caged, *stored)

    @tool
    async def submit_bot(folder: str) -> Done:
        """Check the folder of a bot and add it to the league, as a new version."""
        return await run("submit", path_inside(folder), *caged, *stored)

    @tool
    async def leaderboard(game: str) -> Done:
        """Show the ranking of a game, with intervals."""
        return await run("leaderboard", word(game), *stored)

    @tool
    async def show_match(match: str, seat: int | None = None) -> Done:
        """Show a stored match with its moves and faults; `match` is EVENT/NUMBER or a file."""
        seats = [] if seat is None else ["--seat", str(seat)]
        return await run("replay", "show", path_inside(match), *seats, *stored)

    @tool
    async def reproduce(match: str, bot: str = "", seat: int | None = None) -> Done:
        """Run a stored match again for one of its bots, and show what it prints and answers now."""
        options = ["--bot", path_inside(bot)] if bot else []
        options += [] if seat is None else ["--seat", str(seat)]
        return await run("reproduce", path_inside(match), *options, *caged, *stored)


def _add_organiser_tools(tool: Offer, league: str, cage: str) -> None:
    stored = ("--db", league)

    @tool
    async def run_event(kind: str, game: str, bots: list[str], deals: int, name: str) -> Done:
        """Play an event to its end: round-robin, swiss, ladder or gauntlet."""
        names = ",".join(map(word, bots))
        words = [word(kind), "--game", word(game), "--bots", names, "--name", word(name)]
        limit = str(max(1, min(deals, 10_000)))
        return await run(
            "event", "run", *words, "--deals", limit, "--cage", cage, *stored, timeout_s=7200.0
        )

    @tool
    async def show_event(name: str) -> Done:
        """Show the standings of an event, also while it is played."""
        return await run("event", "show", word(name), *stored)
