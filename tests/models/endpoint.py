"""A server that behaves as the endpoints of language models do, well or badly, on loopback."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

LEGAL = re.compile(r"^Your legal moves: (.*)$", re.MULTILINE)


@dataclass
class Reply:
    """What the server answers."""

    text: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    """The whole body, instead of a chat completion."""
    refusal: str | None = None
    finish: str = "stop"
    delay_s: float = 0.0
    breaks_off: bool = False
    """Whether the connection ends in the middle of the body."""
    tokens: tuple[int, int] = (1000, 50)


Respond = Callable[[dict[str, Any]], Reply]
"""Answers the body of a request."""


def legal_moves(body: dict[str, Any]) -> list[str]:
    """List the legal moves in the last prompt that has any."""
    for message in reversed(body["messages"]):
        if message["role"] == "user" and (found := LEGAL.search(message["content"])):
            return found[1].split(", ")
    return []


def first_move(body: dict[str, Any]) -> Reply:
    """Answer as a model that plays the first legal move."""
    move = legal_moves(body)[0]
    return Reply(f'I think.\n{{"move": {json.dumps(move)}, "note": "the first of my moves"}}')


class Endpoint:
    """The requests that came, and the address."""

    def __init__(self, respond: Respond) -> None:
        self.respond = respond
        self.requests: list[dict[str, Any]] = []
        self.keys: set[str] = set()
        self.address = ""


@contextmanager
def endpoint(respond: Respond = first_move) -> Iterator[Endpoint]:
    """Serve on a free port until the block ends."""
    served = Endpoint(respond)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            assert self.path == "/v1/chat/completions"
            served.keys.add(self.headers.get("authorization", ""))
            served.requests.append(body)
            reply = served.respond(body)
            time.sleep(reply.delay_s)
            try:
                self._send(reply, is_stream=body.get("stream", False))
            except OSError:
                self.close_connection = True

        def _send(self, reply: Reply, *, is_stream: bool) -> None:
            streams = is_stream and reply.raw is None and reply.status == 200
            data = _events(reply) if streams else _completion(reply)
            kind = "text/event-stream" if streams else "application/json"
            self.send_response(reply.status)
            for name, value in {"content-type": kind, **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data[: len(data) // 2] if reply.breaks_off else data)
            self.close_connection = reply.breaks_off

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    served.address = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _usage(reply: Reply) -> dict[str, int]:
    return {"prompt_tokens": reply.tokens[0], "completion_tokens": reply.tokens[1]}


def _completion(reply: Reply) -> bytes:
    if reply.raw is not None:
        return reply.raw
    if reply.status != 200:
        return json.dumps({"error": {"message": reply.text}}).encode()
    message = {"role": "assistant", "content": reply.text, "refusal": reply.refusal}
    choice = {"index": 0, "message": message, "finish_reason": reply.finish}
    return json.dumps({"choices": [choice], "usage": _usage(reply)}).encode()


def _events(reply: Reply) -> bytes:
    size = max(1, len(reply.text) // 3)
    parts = [reply.text[start : start + size] for start in range(0, len(reply.text), size)]
    events: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": {"content": part}, "finish_reason": None}]}
        for part in parts
    ]
    if reply.refusal:
        events.append({"choices": [{"delta": {"refusal": reply.refusal}}]})
    events.append({"choices": [{"delta": {}, "finish_reason": reply.finish}]})
    events.append({"choices": [], "usage": _usage(reply)})
    lines = [f"data: {json.dumps(event)}\n\n" for event in events]
    return "".join([*lines, "data: [DONE]\n\n"]).encode()
