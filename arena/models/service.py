"""Ask a service for the next message of a conversation, over HTTP.

What goes wrong at the service (a rate limit, an error, an answer that breaks off) is not the
model's fault: the request is repeated after a pause, and in the end the match is stopped. An answer
that takes too long is the model's fault.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any, NamedTuple

from arena.errors import PlatformError
from arena.models.config import PREFIX, BadModel, ModelConfig
from arena.text import plain

_REPLY_BYTES = 4 << 20
_LONGEST_PAUSE_S = 120.0
_REPEATED = {408, 409, 425, 429}
"""Besides all from 500 on."""
_REFUSALS = ("content_filter", "refusal")
_EXCERPT = 200

ChatMessage = dict[str, str]
"""A message of a conversation: `role` and `content`."""


class Completion(NamedTuple):
    """What a model has answered."""

    text: str
    refusal: str = ""
    """Why it has refused to answer; empty if it has not."""
    tokens_in: int = 0
    tokens_out: int = 0
    latency_us: int = 0
    retries: int = 0
    """How often the request was repeated."""


class TooSlow(Exception):
    """No answer within the time that the model has."""


class _Unavailable(Exception):
    """The service could not answer; `pause_s` is how long it wants to be left alone."""

    def __init__(self, sentence: str, pause_s: float | None = None) -> None:
        super().__init__(sentence)
        self.pause_s = pause_s


class Service:
    """The service of one model."""

    def __init__(self, config: ModelConfig) -> None:
        """Read the key; no connection is opened yet."""
        try:
            # Imported here: it is an extra.
            import httpx
        except ModuleNotFoundError:
            raise BadModel(
                "models are asked with the package httpx: run `pip install arena-league[models]`"
            ) from None
        self._config = config
        self._httpx = httpx
        key = config.secret()
        self._client = httpx.AsyncClient(
            headers={"authorization": f"Bearer {key}"} if key else {},
            timeout=httpx.Timeout(config.timeout_s, connect=10.0, pool=None),
            follow_redirects=False,
        )
        self._places = asyncio.Semaphore(config.at_once)

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    def body(self, messages: Sequence[ChatMessage]) -> dict[str, Any]:
        """Return the request for the next message of a conversation."""
        config = self._config
        body: dict[str, Any] = {
            "model": config.model,
            "messages": list(messages),
            "max_tokens": config.max_tokens,
        }
        if config.temperature is not None:
            body["temperature"] = config.temperature
        if config.stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        return body

    async def complete(self, body: dict[str, Any]) -> Completion:
        """Send a request, again and again if the service cannot take it.

        Raises `TooSlow`, and `PlatformError` if the service stays away.
        """
        config = self._config
        pause_s = config.backoff_s
        for retries in range(config.retries + 1):
            try:
                async with self._places:
                    completion = await self._ask(body)
                return completion._replace(retries=retries)
            except _Unavailable as error:
                problem = error
            if retries < config.retries:
                wanted = pause_s if problem.pause_s is None else problem.pause_s
                await asyncio.sleep(min(wanted, _LONGEST_PAUSE_S))
                pause_s *= 2
        tries = f"tried {config.retries + 1} times" if config.retries else "tried once"
        raise PlatformError(f"{PREFIX}{config.name} is not available: {problem} ({tries})")

    async def _ask(self, body: dict[str, Any]) -> Completion:
        httpx, loop = self._httpx, asyncio.get_running_loop()
        start = loop.time()
        try:
            async with asyncio.timeout(self._config.timeout_s):
                completion = await self._send(body)
        except (TimeoutError, httpx.ReadTimeout):
            raise TooSlow from None
        except httpx.HTTPError as error:
            raise _Unavailable(f"{type(error).__name__} ({_excerpt(str(error))})") from None
        return completion._replace(latency_us=round((loop.time() - start) * 1e6))

    async def _send(self, body: dict[str, Any]) -> Completion:
        address = f"{self._config.address.rstrip('/')}/chat/completions"
        async with self._client.stream("POST", address, json=body) as response:
            if response.status_code != 200:
                text = (await _read(response)).decode(errors="replace")
                self._refuse(response.status_code, response.headers, text)
            if response.headers.get("content-type", "").startswith("text/event-stream"):
                return await _read_events(response)
            return _read_completion(await _read(response))

    def _refuse(self, status: int, headers: Any, text: str) -> None:
        sentence = f"status {status}, {_excerpt(text)}"
        if status in _REPEATED or status >= 500:
            raise _Unavailable(sentence, _pause_in(headers))
        config = self._config
        hint = f"; is the key in {config.key} right?" if status in (401, 403) and config.key else ""
        raise PlatformError(f"{PREFIX}{config.name} refuses requests: {sentence}{hint}")


async def _read(response: Any) -> bytes:
    data = bytearray()
    async for part in response.aiter_bytes():
        data += part
        if len(data) > _REPLY_BYTES:
            raise _Unavailable(f"its answer has more than {_REPLY_BYTES} bytes")
    return bytes(data)


def _read_completion(data: bytes) -> Completion:
    """Read an answer that came as a whole."""
    try:
        reply = json.loads(data)
        choice = reply["choices"][0]
        message = choice["message"]
        text, refusal = message.get("content"), message.get("refusal")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        excerpt = _excerpt(data[: 4 * _EXCERPT].decode(errors="replace"))
        raise _Unavailable(f"its answer is no chat completion: {excerpt}") from None
    return _completion(text, refusal, choice.get("finish_reason"), reply.get("usage"))


async def _read_events(response: Any) -> Completion:
    """Read an answer that comes in parts, as server-sent events."""
    text, refusal, finish, usage = "", "", None, None
    read = 0
    async with aclosing(_event_data(response)) as events:
        async for data in events:
            read += len(data)
            if read > _REPLY_BYTES:
                raise _Unavailable(f"its answer has more than {_REPLY_BYTES} bytes")
            if data == "[DONE]":
                break
            try:
                part = json.loads(data)
                usage = part.get("usage") or usage
                for choice in part["choices"][:1]:
                    delta = choice["delta"]
                    text += delta.get("content") or ""
                    refusal += delta.get("refusal") or ""
                    finish = choice.get("finish_reason") or finish
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                raise _Unavailable(f"part of its answer is no JSON: {_excerpt(data)}") from None
    if finish is None:
        raise _Unavailable("its answer broke off")
    return _completion(text, refusal, finish, usage)


async def _event_data(response: Any) -> AsyncGenerator[str, None]:
    async for line in response.aiter_lines():
        if line.startswith("data:"):
            yield line.removeprefix("data:").strip()


def _completion(text: Any, refusal: Any, finish: Any, usage: Any) -> Completion:
    text = text if isinstance(text, str) else ""
    if not refusal and finish in _REFUSALS:
        refusal = f"it ended with {finish}"
    return Completion(
        text,
        _excerpt(refusal) if isinstance(refusal, str) and refusal else "",
        _count(usage, "prompt_tokens"),
        _count(usage, "completion_tokens"),
    )


def _count(usage: Any, name: str) -> int:
    """Return a number of tokens; 0 if the service does not say."""
    number = usage.get(name) if isinstance(usage, dict) else None
    return number if isinstance(number, int) and 0 <= number < 1 << 40 else 0


def _pause_in(headers: Any) -> float | None:
    """Return how many seconds a service asks to wait; None if it does not say."""
    try:
        pause = float(headers.get("retry-after", ""))
    except ValueError:
        return None
    return max(0.0, pause) if math.isfinite(pause) else None


def _excerpt(text: str) -> str:
    words = plain(" ".join(text[: 4 * _EXCERPT].split()))
    return words if len(words) <= _EXCERPT else f"{words[:_EXCERPT]}..."
