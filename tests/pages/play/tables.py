"""Tables for people in the browser, and a person who uses HTTP instead of one."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from random import Random
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from arena.games.conformance import Setting
from arena.games.randomness import seed_from
from arena.indices import PlayerIndex, Seat
from arena.pages.play.seats import BrowserTable
from arena.pages.play.server import serve_table
from arena.records import Entrant, Record
from arena.referee.clock import NO_CLOCK, Clock
from arena.referee.model import Fixture
from arena.referee.players.local import LocalPlayer, random_chooser
from arena.referee.players.player import Player
from arena.referee.referee import Referee
from tests.builders.records import setting_of

SHORT = {
    "trio": ("trio", 3, "turn_cap=3"),
    "trio in teams": ("trio", 4, "mode=spicy teams=yes turn_cap=2"),
    "jackal": ("jackal", 3, "round_cap=2"),
    "meow": ("meow", 3, "rounds=1 tokens=1,2,3,-1,-2,-3,fish,fish,vase"),
    "lifeislife": ("lifeislife", 3, "round_cap=2 turn_cap=3"),
}
"""Settings of each game with a low length cap."""


def short_setting(name: str) -> Setting:
    """Return one of the short settings."""
    game_id, seats, parameters = SHORT[name]
    setting = setting_of(game_id, seats)
    return replace(setting, parameters=setting.game.parameters_form.read(parameters))


@dataclass
class ServedTable:
    """A match that is being played, with people in some seats and random players in the others."""

    setting: Setting
    table: BrowserTable
    addresses: dict[int, str]
    records: list[Record] = field(default_factory=list)

    def finish(self) -> None:
        """Do what the command does at the end of the match."""
        self.table.finish(self.records[0], saved="here.replay", command="arena play")


def random_player(entrant: Entrant) -> Player:
    """Return a player who plays at random."""
    return LocalPlayer(entrant, random_chooser)


@contextmanager
def served_table(
    setting: Setting,
    people: Sequence[int] = (0,),
    *,
    seed: int = 1,
    clock: Clock | None = None,
    opponent: Callable[[Entrant], Player] = random_player,
    name: str = "human",
) -> Iterator[ServedTable]:
    """Play a match in a thread while its table is served."""
    names = [f"{name}-{s}" if s in people else f"random-{s}" for s in range(setting.seats)]
    seats = list(map(Seat, people))
    table = BrowserTable(setting.game, setting.parameters, names, seats, clock=clock)
    players: list[Player] = [
        table.player(Seat(seat)) if seat in people else opponent(Entrant(each))
        for seat, each in enumerate(names)
    ]
    seating = tuple(map(PlayerIndex, range(setting.seats)))
    fixture = Fixture(0, setting.game, setting.parameters, seed_from(seed), seating)
    loop = asyncio.new_event_loop()

    async def play() -> None:
        async for _, record in Referee(players, NO_CLOCK).play([fixture], tables=1):
            served.records.append(record)
        served.finish()

    def run() -> None:
        asyncio.set_event_loop(loop)
        task = loop.create_task(play())
        loop.run_until_complete(asyncio.gather(task, return_exceptions=True))
        loop.close()

    with serve_table(table, 0) as addresses:
        served = ServedTable(setting, table, dict(zip(people, addresses, strict=True)))
        thread = Thread(target=run)
        thread.start()
        try:
            yield served
        finally:
            # The loop is closed if the match is over.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(
                    lambda: [each.cancel() for each in asyncio.all_tasks(loop)]
                )
            thread.join()


@dataclass
class Reply:
    """A reply of the server."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes


def request(
    address: str,
    path: str = "",
    *,
    method: str = "GET",
    body: bytes | None = None,
    headers: dict[str, str] | None = None,
) -> Reply:
    """Send a request to a seat's address, as its page would."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.netloc, timeout=60)
    own = {"Origin": f"http://{parts.netloc}", "Content-Type": "application/json"}
    connection.request(method, parts.path + path, body, (own if body else {}) | (headers or {}))
    reply = connection.getresponse()
    content = reply.read()
    connection.close()
    return Reply(reply.status, reply.headers, content)


def decide(address: str, turn: object, action: object, **headers: str) -> Reply:
    """Send a decision."""
    body = json.dumps({"turn": turn, "action": action}).encode()
    return request(address, "move", method="POST", body=body, headers=headers)


class HttpPerson:
    """A person who plays at random, and keeps everything that was sent to them."""

    def __init__(self, address: str, seed: int = 0) -> None:
        """Play at an address."""
        self.address = address
        self.received: list[bytes] = [request(address).body]
        self.updates: list[dict[str, Any]] = []
        self._frames = 0
        self._version = -1
        self._rng = Random(seed)

    def update(self) -> dict[str, Any]:
        """Wait for an update."""
        match = self.updates[-1]["match"] if self.updates else 0
        query = f"updates?match={match}&frames={self._frames}&version={self._version}&wait=yes"
        body = request(self.address, query).body
        self.received.append(body)
        update: dict[str, Any] = json.loads(body)
        self.updates.append(update)
        self._frames += len(update["frames"])
        self._version = update["version"]
        return update

    def play(self) -> None:
        """Play to the end of the match."""
        while not (update := self.update())["result"]:
            if update["turn"]:
                action = self._rng.choice(update["turn"]["choices"])["action"]
                reply = decide(self.address, update["turn"]["number"], action)
                assert (reply.status, reply.body) == (200, b"{}")
                self.received.append(reply.body)
