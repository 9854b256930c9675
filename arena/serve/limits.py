"""What every request is subject to: a rate, a size, a time, strict headers, and a log."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from ipaddress import IPv6Address, ip_address
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from arena.serve.config import Quotas

LOG = logging.getLogger("arena.serve.requests")
SMALL_BYTES = 64 * 1024
"""For every body but a package."""
UPLOADS = ("/api/v1/submissions", "/submit")
"""The paths to which packages are sent."""
_FORM_BYTES = 64 * 1024
"""What a form adds to a package."""
_BODY_S = 60.0
_DROPPED_BYTES = 64 * 1024 * 1024
_DROP_S = 20.0
HEADERS_S = 20.0
_ADDRESS_FACTOR = 10
"""A class shares one address."""
_MOST_KEYS = 10_000
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; "
    "img-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}
"""Sent unless an answer has its own."""
_HSTS = "max-age=31536000"


class Buckets:
    """How much each key may still do: a full minute's worth, refilled steadily."""

    def __init__(self, per_minute: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Allow this many calls in a minute for each key."""
        self._full = per_minute
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}

    def wait_s(self, key: str) -> float:
        """Take one call from a key; return 0, or how long to wait for the next one."""
        now = self._clock()
        left, since = self._left.pop(key, (self._full, now))
        left = min(self._full, left + (now - since) * self._full / 60)
        allowed = left >= 1
        self._left[key] = (left - 1 if allowed else left, now)
        if len(self._left) > _MOST_KEYS:
            del self._left[next(iter(self._left))]  # the one that was used longest ago
        return 0.0 if allowed else (1 - left) * 60 / self._full


def address_key(host: str) -> str:
    """Return the key of a client's address; a network of IPv6 addresses counts as one."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    return address.packed[:8].hex() if isinstance(address, IPv6Address) else host


class Guard:
    """Middleware in front of everything else."""

    def __init__(
        self, app: ASGIApp, *, quotas: Quotas, is_secure: bool, count: Callable[[str], None]
    ) -> None:
        """Guard an application."""
        self._app = app
        self._package_bytes = quotas.package_kib * 1024 + _FORM_BYTES
        self._addresses = Buckets(_ADDRESS_FACTOR * quotas.requests_per_minute)
        self._is_secure = is_secure
        self._count = count

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500
        client = (scope.get("client") or ("", 0))[0]

        async def send_guarded(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                self._add_headers(MutableHeaders(scope=message))
            await send(message)

        try:
            wait_s = self._addresses.wait_s(address_key(client))
            if wait_s:
                await too_many(wait_s)(scope, receive, send_guarded)
            else:
                await self._bounded(scope, receive, send_guarded)
        finally:
            self._count(f"requests {status}")
            took_ms = round(1000 * (time.perf_counter() - began), 1)
            asked = {"method": scope["method"], "path": _path(scope), "client": client}
            LOG.info("request", extra={**asked, "status": status, "took_ms": took_ms})

    def _add_headers(self, headers: MutableHeaders) -> None:
        for name, value in _HEADERS.items():
            headers.setdefault(name, value)
        if self._is_secure:
            headers["Strict-Transport-Security"] = _HSTS

    async def _bounded(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let no body be too long or take too long to arrive."""
        most = self._package_bytes if scope["path"] in UPLOADS else SMALL_BYTES
        stated = Headers(scope=scope).get("content-length", "0")
        if not stated.isascii() or not stated.isdecimal() or int(stated) > most:
            await _refuse_body(most, scope, receive, send)
            return
        received, is_whole, is_started = 0, False, False
        until = asyncio.get_running_loop().time() + _BODY_S

        async def receive_bounded() -> Message:
            nonlocal received, is_whole
            if is_whole:
                return await receive()  # the end of the connection, whenever it comes
            async with asyncio.timeout_at(until):
                message = await receive()
            received += len(message.get("body", b""))
            is_whole = not message.get("more_body", False)
            if received > most:
                raise _BodyTooLarge
            return message

        async def send_noted(message: Message) -> None:
            nonlocal is_started
            is_started = True
            await send(message)

        try:
            await self._app(scope, receive_bounded, send_noted)
        except _BodyTooLarge:
            if not is_started:
                await _refuse_body(most, scope, receive, send, is_whole=is_whole)
        except TimeoutError:
            if not is_started:
                await _error(408, "the body did not arrive in time")(scope, receive, send)


class _BodyTooLarge(Exception):
    """More of a body has come than is allowed."""


async def _refuse_body(
    most: int, scope: Scope, receive: Receive, send: Send, *, is_whole: bool = False
) -> None:
    """Say that a body is too large, once the client has sent it: until then it reads no answer."""
    dropped = 0
    # Whoever waits to be told to go on has not sent it.
    if not is_whole and "expect" not in Headers(scope=scope):
        with suppress(TimeoutError):
            async with asyncio.timeout(_DROP_S):
                while dropped < _DROPPED_BYTES:
                    message = await receive()
                    dropped += len(message.get("body", b""))
                    if not message.get("more_body", False):
                        break
    await _error(413, f"the body is too large: at most {most // 1024:,} KiB")(scope, receive, send)


class ImpatientProtocol(H11Protocol):
    """uvicorn's HTTP, which also closes a connection that does not send its first request."""

    # The type of the transport is uvicorn's own, hence Any.
    def connection_made(self, transport: Any) -> None:
        """Wait for the headers for a limited time."""
        super().connection_made(transport)
        self.loop.call_later(HEADERS_S, self._close_silent)

    def _close_silent(self) -> None:
        if self.cycle is None:
            self.transport.close()


def too_many(wait_s: float) -> JSONResponse:
    """Return the answer to a request that came too soon."""
    answer = _error(429, f"too many requests: try again in {wait_s:.0f} s")
    answer.headers["Retry-After"] = str(int(wait_s) + 1)
    return answer


def _error(status: int, sentence: str) -> JSONResponse:
    return JSONResponse({"detail": sentence}, status, headers={"Connection": "close"})


def _path(scope: Scope) -> str:
    """Return the path of a request for the log; the code of an invitation is a secret."""
    path = str(scope["path"])
    return "/join/…" if path.startswith("/join/") else path
