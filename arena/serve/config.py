"""The file that describes a served league, as `arena serve --init` writes it."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from arena.errors import BadInput
from arena.referee.clock import CORES
from arena.text import plain
from arena.tournament.spec import Spec, check_spec
from arena.tournament.spec_files import spec_from_document
from arena.workers.cluster.addresses import Certificates

ENDLESS_ROUNDS = 1_000_000
"""A ladder without a limit would end when its order is known."""
_SEASON = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,29}$"
_DAY = timedelta(days=1)
_REPEATS = {"daily": _DAY, "weekly": 7 * _DAY}
_Count = Annotated[int, Field(ge=1, le=1_000_000_000)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ServerSettings(_Table):
    """Where the league can be reached."""

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    certificate: str = ""
    key: str = ""
    proxy: str = ""
    """The address of a reverse proxy, whose word is taken for the addresses of clients."""


class Quotas(_Table):
    """How much one author, or one address, may ask for."""

    submissions_per_day: _Count = 20
    bots: _Count = 3
    package_kib: _Count = 4096
    check_cpu_s_per_day: _Count = 1200
    requests_per_minute: _Count = 300
    live_pages: _Count = 500
    """For all together."""


class PlaySettings(_Table):
    """How matches are played."""

    jobs: Annotated[int, Field(ge=1, le=1024)] = CORES
    turn_s: _Count = 120
    """A ladder gives way to the next one at the end of a round, after this time."""
    renew_after: _Count = 50_000
    """Matches after which a ladder ends, reveals its secret, and another one begins."""
    keep_authors_apart: bool = True
    without: list[str] = []
    """House bots that do not play."""
    workers: str = ""
    """The address of a cluster."""
    tls: list[str] = []
    """The files of its certificate authority, our certificate and its key."""
    cage: str = "auto"
    limits: dict[str, int] = {}

    @property
    def certificates(self) -> Certificates | None:
        """What a cluster knows us by."""
        return Certificates(*map(Path, self.tls)) if len(self.tls) == 3 else None


class FinalSettings(_Table):
    """The final of a season: a frozen re-run on fresh deals for each ladder."""

    kind: Literal["round-robin", "swiss"] = "swiss"
    deals: _Count = 4


class EventTable(_Table):
    """A scheduled event: when it starts, and the keys of a file for `arena event run`."""

    model_config = ConfigDict(extra="allow", frozen=True)

    name: str
    start: AwareDatetime
    repeat: Literal["never", "daily", "weekly"] = "never"

    def due(self, now: datetime, *, since: datetime) -> datetime | None:
        """Return the last time at which it had to start; None if that was before `since`."""
        step = _REPEATS.get(self.repeat)
        last = self.start
        if step and now > last:
            last += (now - last) // step * step
        return last if since <= last <= now else None

    def event_name(self, at: datetime) -> str:
        """Return the name of the event that starts at a time."""
        at = at.astimezone(UTC)
        return self.name if self.repeat == "never" else f"{self.name}-{at:%Y-%m-%d}"


class ServeConfig(_Table):
    """All settings of a served league."""

    title: Annotated[str, Field(min_length=1, max_length=80)]
    welcome: Annotated[str, Field(max_length=4000)] = ""
    address: str = "http://127.0.0.1:8000"
    """As authors type it."""
    league: str = "arena.db"
    season: Annotated[str, Field(pattern=_SEASON)] = "season-1"
    freeze: AwareDatetime | None = None
    server: ServerSettings = ServerSettings()
    quotas: Quotas = Quotas()
    play: PlaySettings = PlaySettings()
    final: FinalSettings = FinalSettings()
    ladder: Annotated[list[dict[str, Any]], Field(min_length=1, max_length=20)]
    event: list[EventTable] = []

    def ladders(self) -> list[Spec]:
        """Return the ladders that are played in turn, without names."""
        return [
            self._spec({**table, "kind": "ladder", "rounds": ENDLESS_ROUNDS})
            for table in self.ladder
        ]

    def scheduled(self) -> list[tuple[EventTable, Spec]]:
        """Return the scheduled events."""
        return [
            (event, self._spec({**(event.model_extra or {}), "name": event.name}))
            for event in self.event
        ]

    def finals(self) -> list[Spec]:
        """Return the final of each ladder, without names."""
        kind, deals = self.final.kind, self.final.deals
        return [
            self._spec({**table, "kind": kind, "deals": deals, "unrated": True})
            for table in self.ladder
        ]

    def _spec(self, document: dict[str, Any]) -> Spec:
        play = self.play
        document = {
            "keep_authors_apart": play.keep_authors_apart,
            "cage": play.cage,
            "limits": play.limits,
            **document,
        }
        return check_spec(spec_from_document(document))

    @property
    def is_secure(self) -> bool:
        """Whether authors use TLS."""
        return self.address.startswith("https://")

    @property
    def hosts(self) -> list[str]:
        """The names under which the league answers."""
        return [urlsplit(self.address).hostname or "", "localhost", "127.0.0.1", "[::1]"]


def read_config(path: Path) -> tuple[ServeConfig, Path]:
    """Read a file; return it with the path of the league, which is relative to the file."""
    try:
        config = ServeConfig.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
        if urlsplit(config.address).scheme not in ("http", "https"):
            raise BadInput("address must begin with https:// or http://")
        if bool(config.server.certificate) != bool(config.server.key):
            raise BadInput("server: certificate and key are needed both")
        specs = [*config.ladders(), *(spec for _, spec in config.scheduled()), *config.finals()]
    except FileNotFoundError:
        raise BadInput(f"there is no {path}: write one with `arena serve --init {path}`") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput(f"{path} cannot be read: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise BadInput(plain(f"{path}: {where}: {first['msg']}")) from None
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None
    if any(spec.seed is not None or spec.secret is not None for spec in specs):
        raise BadInput(f"{path}: a served league draws its secrets: remove seed and secret")
    return config, path.parent / config.league


def ladder_name(season: str, spec: Spec) -> str:
    """Return the name of a season's ladder; a variant is part of it."""
    return "-".join([season, spec.game, *(word.replace("=", "") for word in spec.variant)])


def named(spec: Spec, name: str) -> Spec:
    """Return a spec for an event of this name."""
    return replace(spec, name=name[:60])


TEMPLATE = """\
# The league that `arena serve {file}` offers to others. Times are UTC.
title = "Our league"
welcome = \"""
Write a bot, submit it, and watch it climb.
\"""
address = "http://127.0.0.1:8000"  # as authors type it; with TLS, https://...
league = "arena.db"  # beside this file; made if it does not exist
season = "season-1"  # the name of the first season; `arena season close` opens the next
# After this moment, submissions wait for the next season; the ladders go on.
# freeze = 2030-06-01T12:00:00Z

[server]
host = "127.0.0.1"  # "0.0.0.0" for all networks of this machine
port = 8000
# certificate = "fullchain.pem"  # TLS without a reverse proxy; relative to this file
# key = "privkey.pem"
# proxy = "127.0.0.1"  # behind a reverse proxy on this address: believe its X-Forwarded-For

[quotas]
submissions_per_day = 20  # of each author
bots = 3  # of each author; versions do not count
package_kib = 4096  # packed
check_cpu_s_per_day = 1200  # CPU seconds for checks, of each author
requests_per_minute = 300  # of each token and of each address
live_pages = 500  # open at the same time; an address may have half of what others leave

[play]
# jobs = 2  # processes that play; default: all cores
# workers = "tls://alpha:8786"  # the cluster to play on instead, see `arena docs workers`
# tls = ["ca.pem", "cert.pem", "key.pem"]  # for it
turn_s = 120  # a ladder gives way to the next one at the end of a round, after this time
renew_after = 50000  # matches after which a ladder reveals its secret and another one begins
keep_authors_apart = true  # never seat two bots of the same author at one table
# House bots that do not play; search thinks for as long as the clock allows.
without = ["search"]
# cage = "bubblewrap"  # default: the best that this machine has
limits = {{ memory_mib = 512 }}

# What is played all the time: a ladder for each game or variant. All other keys are those of a
# file for `arena event run`.
[[ladder]]
game = "meow"
clock = "cpu:5+0.05"

# [[ladder]]
# game = "trio"
# variant = ["spicy"]
# seats = 4

# Events with a start. A repeated one has the date in its name.
# [[event]]
# name = "friday"
# start = 2030-01-04T18:00:00Z
# repeat = "weekly"  # or "daily", "never"
# kind = "swiss"
# game = "meow"
# deals = 4

# What `arena season close` plays for each ladder: a re-run on fresh deals, with the bots as they
# are then. It changes no rating.
[final]
kind = "swiss"  # or "round-robin"
deals = 4
"""
