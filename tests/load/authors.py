"""Thirty authors with clients of their own: good, slow, crashing, hostile, huge and malformed."""

from __future__ import annotations

import asyncio
import io
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

import httpx

from tests.serve.in_process import bot_files, zip_of

_AGAIN_S = 2.0
_POLL_S = 1.0
BOT = """
import os, random, socket, sys, time
from arena.sdk import Bot, run


class Mine(Bot):
    def choose(self, view):
        {misdeed}
        return self.legal_actions(view)[{index}]


if __name__ == "__main__":
    run(Mine)
"""
MISDEEDS = {
    "good": "pass",
    "slow": "until = time.process_time() + 0.02\n        while time.process_time() < until: pass",
    "crashing": "if os.urandom(2) < b'\\x00\\x60': sys.exit('no cheese')",
    "hanging": "if os.urandom(2) < b'\\x00\\x30': time.sleep(3600)",
    "hostile": (
        "print('x' * 100_000)\n"
        "        for misdeed in (os.fork, lambda: socket.create_connection(('127.0.0.1', 8000)),\n"
        "                        lambda: os.kill(-1, 9), lambda: open('/etc/shadow').read()):\n"
        "            try: misdeed()\n"
        "            except OSError: pass"
    ),
}
KINDS = (
    *["good"] * 11,
    *["slow"] * 4,
    *["crashing"] * 3,
    *["hanging"] * 2,
    *["hostile"] * 3,
    *["huge"] * 2,
    *["malformed"] * 3,
    *["thief"] * 1,
    *["guesser"] * 1,
)


class Sent(NamedTuple):
    """A submission that was answered with its number."""

    number: int
    author: str
    bot: str


@dataclass
class Account:
    """What all authors together have met."""

    sent: list[Sent] = field(default_factory=list)
    answers: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By kind of author, and what became of it."""
    waits_s: list[float] = field(default_factory=list)
    """From a submission's number to the end of its check."""
    lost_connections: int = 0


class Author:
    """One author, who submits again and again."""

    def __init__(self, kind: str, number: int, token: str, account: Account) -> None:
        """Submit bots of this kind."""
        self.kind = kind
        self.name = f"{kind}-{number}"
        self._token = token
        self._account = account
        self._rng = Random(self.name)
        self._versions = 0

    async def run(self, address: Callable[[], str], *, period_s: float, until: float) -> None:
        """Submit at once, and then every so often, until a time of the loop's clock."""
        clock = asyncio.get_running_loop().time
        async with httpx.AsyncClient(timeout=60) as client:
            while clock() < until:
                begun = clock()
                await self._submit(client, address, until)
                pause = period_s * self._rng.uniform(0.7, 1.3) - (clock() - begun)
                await asyncio.sleep(min(max(pause, 0), max(until - clock(), 0)))

    async def _submit(
        self, client: httpx.AsyncClient, address: Callable[[], str], until: float
    ) -> None:
        self._versions += 1
        bot, content = self._package()
        token = "arena_1_guess" if self.kind == "guesser" else self._token
        headers = {"Authorization": f"Bearer {token}"}
        clock = asyncio.get_running_loop().time
        answer = None
        while answer is None or answer.status_code in (502, 503):
            # A client that was cut off sends the same again: then the answer may be `unchanged`.
            try:
                url = f"{address()}/api/v1/submissions"
                answer = await client.post(url, content=content, headers=headers)
            except httpx.TransportError:
                self._account.lost_connections += 1
            if answer is None or answer.status_code in (502, 503):
                if clock() > until:
                    return
                await asyncio.sleep(_AGAIN_S)
        if answer.status_code != 202:
            self._count(f"answered {answer.status_code}")
            return
        number = answer.json()["id"]
        self._account.sent.append(Sent(number, self.name, bot))
        begun, status = clock(), answer.json()["status"]
        while status in ("queued", "checking"):
            await asyncio.sleep(_POLL_S)
            if clock() > until + 600:
                break
            try:
                found = await client.get(
                    f"{address()}/api/v1/submissions/{number}", headers=headers
                )
                status = found.json()["status"] if found.status_code == 200 else status
            except httpx.TransportError:
                self._account.lost_connections += 1
        if status not in ("queued", "checking", "unchanged"):
            self._account.waits_s.append(clock() - begun)
        self._count(status)

    def _count(self, what: str) -> None:
        self._account.answers[self.kind, what] += 1

    def _package(self) -> tuple[str, bytes]:
        number = self._versions
        misdeed = MISDEEDS.get(self.kind, "pass")
        code = f"# {number}\n" + BOT.format(misdeed=misdeed, index=-(number % 2))
        games = self._rng.choice(('["meow"]', '["trio"]', '["meow", "trio"]'))
        name = "good-0" if self.kind == "thief" else self.name
        files: Mapping[str, str | bytes] = bot_files(name, code=code, games=games)
        if self.kind == "huge":
            return name, self._huge(dict(files))
        if self.kind == "malformed":
            return name, self._malformed(dict(files))
        return name, zip_of(files)

    def _huge(self, files: dict[str, str | bytes]) -> bytes:
        if self._versions % 2:
            return zip_of({**files, "weights": self._rng.randbytes(6 << 20)})  # too large to send
        return zip_of({**files, "weights": bytes(80 << 20)})  # too large when it is unpacked

    def _malformed(self, files: dict[str, str | bytes]) -> bytes:
        good = zip_of(files)
        nested = io.BytesIO()
        with zipfile.ZipFile(nested, "w") as archive:
            archive.writestr("../../bot.toml", "name = 1")
        choices = (
            b"",
            b"not a zip file",
            good[: len(good) // 2],
            self._rng.randbytes(10_000),
            zip_of({"bot.py": "pass"}),
            zip_of({**files, "bot.toml": "name = ["}),
            zip_of({**files, "bot.toml": f'name = "random"\n{files["bot.toml"]!s}'}),
            nested.getvalue(),
        )
        return choices[self._versions % len(choices)]
