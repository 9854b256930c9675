"""Clients of the Model Context Protocol, with the official SDK, over both transports."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

mcp = pytest.importorskip("mcp", reason="the SDK of the Model Context Protocol is not installed")

WAIT_S = 60.0


def over_stdio(folder: Path, *options: str, **variables: str) -> Any:
    """Return how a host starts the server that it talks to."""
    return mcp.StdioServerParameters(
        command=sys.executable,
        args=["-m", "arena", "mcp", *options],
        cwd=str(folder),
        env={**os.environ, **variables},
    )


@contextmanager
def served(folder: Path, *options: str) -> Iterator[str]:
    """Serve over HTTP, and end the server as Ctrl-C does."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "arena", "mcp", "--http", "--port", str(port), *options]
    process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)
    try:
        address = f"http://127.0.0.1:{port}/mcp"
        while True:
            assert process.poll() is None, process.stderr and process.stderr.read()
            with socket.socket() as probe:
                if not probe.connect_ex(("127.0.0.1", port)):
                    break
            time.sleep(0.02)
        yield address
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=WAIT_S)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the server that several tests use."""
    return tmp_path_factory.mktemp("mcp")


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """Serve over HTTP for several tests."""
    with served(folder) as found:
        yield found


def with_client(server: Any, use: Callable[[Any], Awaitable[None]]) -> None:
    """Connect and use the server."""

    async def connected() -> None:
        async with mcp.Client(server, read_timeout_seconds=WAIT_S) as client:
            await use(client)

    asyncio.run(connected())


def text_of(result: Any) -> str:
    return "\n".join(part.text for part in result.content)


async def call(client: Any, tool: str, **arguments: Any) -> Any:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    content = result.structured_content
    return content["result"] if set(content) == {"result"} else content


async def refused(client: Any, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return text_of(result)


async def play_to_the_end(client: Any, game: str, *opponents: str) -> list[Any]:
    turns = [await call(client, "start_match", game=game, opponents=list(opponents), seed=5)]
    while turns[-1]["status"] == "your turn":
        turn = turns[-1]
        turns.append(await call(client, "act", match=turn["match"], move=turn["legal_moves"][0]))
    return turns


def test_a_client_plays_a_whole_match_over_stdio_and_reads_its_analysis(tmp_path: Path) -> None:
    async def use(client: Any) -> None:
        games = await call(client, "list_games")
        assert {game["game"] for game in games} == {"trio", "jackal", "meow", "lifeislife"}
        assert "Trick-taking" in await call(client, "read_rules", game="meow")
        turns = await play_to_the_end(client, "meow", "random", "greedy-meow")
        assert turns[-1]["status"] == "over"
        assert "is first" in turns[-1]["result"]
        key = turns[-1]["match"]
        log = await client.read_resource(f"log://{key}")
        assert "wins the trick" in log.contents[0].text
        analysis = await call(client, "analyse_match", match=key)
        assert analysis["exit_code"] == 0
        assert "decision" in analysis["output"]

    with_client(over_stdio(tmp_path), use)


def test_a_client_sees_its_own_hand_and_no_other(address: str) -> None:
    async def use(client: Any) -> None:
        turns = await play_to_the_end(client, "meow", "random", "random")
        for turn in turns[:-1]:
            hands = [line for line in turn["table"].splitlines() if line.startswith("  hand")]
            assert len(hands) == 1
            assert set(turn["legal_moves"]) <= set(hands[0].split()[1:])

    with_client(address, use)


def test_what_a_client_may_not_do_is_said_in_a_sentence_and_loses_nothing(address: str) -> None:
    async def use(client: Any) -> None:
        turn = await call(client, "start_match", game="meow", opponents=["random"], seed=5)
        key = turn["match"]
        assert "is not a move" in await refused(client, "act", match=key, move="Q99")
        cards = {f"{colour}{rank}" for colour in "PBG" for rank in range(1, 19)}
        other = min(cards - set(turn["legal_moves"]))
        assert "may not play" in await refused(client, "act", match=key, move=other)
        assert "no such match" in await refused(client, "view", match="guess")
        assert (await call(client, "view", match=key))["status"] == "your turn"
        for bot in ("../elsewhere", "/etc", "--help", "a b", "python -c 1"):
            await refused(client, "check_bot", bot=bot)
        words = await refused(client, "start_match", game="chess", opponents=["random"])
        assert "chess" in words
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert "run_event" not in names
        assert await call(client, "leave_match", match=key)
        assert (await call(client, "view", match=key))["status"] == "stopped"

    with_client(address, use)


def test_a_link_out_of_the_folder_is_not_followed(address: str, folder: Path) -> None:
    (folder / "out").symlink_to("/")

    async def use(client: Any) -> None:
        assert "leads out of the folder" in await refused(client, "check_bot", bot="out/tmp")

    with_client(address, use)


def test_two_clients_play_at_once_and_their_matches_have_different_keys(address: str) -> None:
    ends: list[Any] = []

    async def use(first: Any) -> None:
        async with mcp.Client(address, read_timeout_seconds=WAIT_S) as second:
            ends.extend(
                await asyncio.gather(
                    play_to_the_end(first, "trio", "random", "random"),
                    play_to_the_end(second, "lifeislife", "random", "random"),
                )
            )

    with_client(address, use)
    assert [turns[-1]["status"] for turns in ends] == ["over", "over"]
    keys = {turns[-1]["match"] for turns in ends}
    assert len(keys) == 2
    assert all(len(key) >= 16 for key in keys)


def test_a_page_of_another_site_cannot_use_the_server(address: str) -> None:
    httpx = pytest.importorskip("httpx", reason="httpx is not installed")
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    for foreign in ({"origin": "https://example.org"}, {"host": "example.org"}):
        headers = {**foreign, "accept": "application/json, text/event-stream"}
        assert httpx.post(address, json=body, headers=headers).status_code in (403, 421)


BOT = """
from arena.sdk import Bot, run


class First(Bot):
    def choose(self, view):
        return self.legal_actions(view)[0]


run(First)
"""


def runs(name: str) -> bool:
    """Tell whether a process was started with this name among its words."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if name.encode() in path.read_bytes():
                return True
    return False


def test_the_bots_of_a_match_are_gone_when_its_client_goes_away(tmp_path: Path) -> None:
    name = f"forgotten_{os.getpid()}.py"
    (tmp_path / name).write_text(BOT)

    async def use(client: Any) -> None:
        turn = await call(client, "start_match", game="meow", opponents=[name], seed=5)
        await call(client, "act", match=turn["match"], move=turn["legal_moves"][0])
        assert runs(name)

    with_client(over_stdio(tmp_path), use)
    # They are killed with the server; their end may take a moment.
    while runs(name):
        time.sleep(0.01)


@pytest.mark.slow
def test_an_author_gets_from_a_new_bot_to_the_leaderboard(tmp_path: Path) -> None:
    async def use(client: Any) -> None:
        async def done(tool: str, **arguments: Any) -> str:
            result = await call(client, tool, **arguments)
            assert result["exit_code"] == 0, result["output"]
            return str(result["output"])

        await done("new_bot", folder="kitten", game="meow")
        assert "ready for a league" in await done("check_bot", bot="kitten")
        assert "kitten@1" in await done("submit_bot", folder="kitten")
        bots = ["kitten", "random", "first"]
        await done("run_event", kind="round-robin", game="meow", bots=bots, deals=2, name="cup")
        assert "kitten" in await done("leaderboard", game="meow")
        assert "cup" in await done("show_event", name="cup")
        assert "kitten" in await done("show_match", match="cup/0")
        assert "Decisions as recorded" in await done("reproduce", match="cup/0", bot="kitten")
        await done("play_match", game="meow", players=["kitten", "random"], save="a.replay")
        assert (tmp_path / "a.replay").is_file()
        pair = {"new": "kitten", "old": "random", "game": "meow", "deals": 2}
        assert (await call(client, "compare_bots", **pair))["output"]

    with_client(over_stdio(tmp_path, "--organiser"), use)
    assert (tmp_path / "arena.db").is_file()
