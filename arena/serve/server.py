"""Serve a league until a signal: sockets, TLS, and the log, all by uvicorn."""

from __future__ import annotations

import json
import logging
import socket
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import uvicorn

from arena.errors import BadInput, LeagueInUse
from arena.serve.app import make_app
from arena.serve.config import ServeConfig, read_config
from arena.serve.limits import ImpatientProtocol
from arena.serve.player import is_own
from arena.serve.service import LeagueService
from leaderboard.events import all_events
from leaderboard.seasons import all_seasons
from leaderboard.store import Reader, Store

_POLL_S = 0.5
_TRIES = 120
_KEEP_ALIVE_S = 20
_SHUTDOWN_S = 10
_CONNECTIONS = 2000
_BACKLOG = 2048
_USUAL = {*vars(logging.makeLogRecord({})), "message", "asctime", "color_message"}


class JsonLines(logging.Formatter):
    """Write each record as one line of JSON, with its extra fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as JSON."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "log": record.name,
            "message": record.getMessage(),
            **{key: value for key, value in vars(record).items() if key not in _USUAL},
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def serve(path: Path, *, say: Callable[[str], None]) -> None:
    """Serve the league of a config file; `say` is called with the address once it listens."""
    config, db = read_config(path)
    with Store.open(db, create=True) as store:
        _wait_for_lock(store, say)
        check_events(store, config)
    listening = _listen(config)
    port = listening.getsockname()[1]
    _log_json()
    service = LeagueService(config, path, db)
    server = _Server(
        uvicorn.Config(
            make_app(service),
            http=ImpatientProtocol,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=bool(config.server.proxy),
            forwarded_allow_ips=config.server.proxy or None,
            ssl_certfile=path.parent / config.server.certificate if config.server.key else None,
            ssl_keyfile=path.parent / config.server.key if config.server.key else None,
            timeout_keep_alive=_KEEP_ALIVE_S,
            timeout_graceful_shutdown=_SHUTDOWN_S,
            limit_concurrency=_CONNECTIONS,
        )
    )
    server.before_shutdown = service.feed.end
    scheme = "https" if config.server.key else "http"
    say(f"{scheme}://{config.server.host}:{port}/ (stop with Ctrl-C)")
    server.run(sockets=[listening])


class _Server(uvicorn.Server):
    """uvicorn's server, which would wait for live pages until it loses patience."""

    before_shutdown: Callable[[], None]

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.before_shutdown()
        await super().shutdown(sockets)


def _wait_for_lock(store: Store, say: Callable[[str], None]) -> None:
    """Wait for the player of a server that was killed; raise `LeagueInUse` if it is not that."""
    for left in reversed(range(_TRIES)):
        try:
            # Held for a moment only.
            with store.writing():
                return
        except LeagueInUse as error:
            if not left:
                raise
            if left == _TRIES - 1:
                say(str(error))
            time.sleep(_POLL_S)


def check_events(reader: Reader, config: ServeConfig) -> None:
    """Refuse a league with an interrupted event that nobody here resumes.

    Its deals are still to be played again, so nothing of it may be shown.
    """
    seasons = all_seasons(reader)
    for event in all_events(reader):
        if event.status != "finished" and not is_own(config, seasons, event.name):
            raise BadInput(
                f"{event.name} is interrupted: finish it with `arena event resume {event.name}` "
                "before the league is served"
            )


def _listen(config: ServeConfig) -> socket.socket:
    host, port = config.server.host, config.server.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With its protocol named, asyncio sends small answers at once (TCP_NODELAY).
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(_BACKLOG)  # from now on, connections wait until they are answered
    except OSError as error:
        listening.close()
        raise BadInput(
            f"port {port} cannot be used on {host}: {error.strerror}; choose another under [server]"
        ) from None
    return listening


def _log_json() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
