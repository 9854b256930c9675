"""The HTTP API, version 1: everything that the commands do, as JSON."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterable, Callable, Collection, Sequence
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Path, Query, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel
from starlette.responses import Response

from arena.errors import BadInput
from arena.records import Record
from arena.replays.format import write_replay
from arena.serve import results
from arena.serve.access import (
    Address,
    Service,
    SignedIn,
    check_rate,
    now,
    only_organiser,
    service_of,
)
from arena.serve.config import Quotas
from arena.serve.intake import DAY, OverQuota, check_quotas, look_at, put_into_queue
from arena.serve.service import LeagueService
from arena.serve.snapshot import CachedContent
from leaderboard.authors import LeagueAuthor, all_authors, bots_of, invite, owner_of
from leaderboard.bots import retire
from leaderboard.store import Reader
from leaderboard.uploads import Upload, find_upload, queue_length, received_since, uploads_of

_INVITATION_DAYS = 14
_BIGGEST = 2**62
Name = Annotated[str, Path(max_length=60, pattern=r"^[^/\x00]+$")]
Game = Annotated[str | None, Query(max_length=40, description="Only this game.")]
BotName = Annotated[str, Query(max_length=60)]
Number = Annotated[int, Path(ge=0, le=_BIGGEST)]
Limit = Annotated[int, Query(ge=1, le=500)]


class Problem(BaseModel):
    """Why a request was refused."""

    detail: str


class LeagueStatus(BaseModel):
    """The league, and what happens now."""

    title: str
    welcome: str
    season: str
    freeze: str | None
    games: list[str]
    quotas: Quotas
    playing: dict[str, Any]
    queue: int
    results: int
    """Grows whenever there are new results."""
    notices: list[str]


class CheckStep(BaseModel):
    """A step of a check; without a status it has only begun."""

    number: int
    title: str
    status: str | None = None
    sentence: str = ""
    printed: list[str] = []
    figures: dict[str, float] = {}


class SubmissionStatus(BaseModel):
    """A package, and how its check goes."""

    id: int
    bot: str
    received: str
    status: str
    sentence: str
    version: str | None
    cpu_s: float
    steps: list[CheckStep]


class Me(BaseModel):
    """The author who asks."""

    name: str
    role: str
    bots: list[str]
    submissions_today: int
    may_submit: bool
    sentence: str


class ListedAuthor(BaseModel):
    """An author, as organisers see them."""

    name: str
    role: str
    added: str
    revoked: str | None
    bots: list[str]


class Invitation(BaseModel):
    """A link with which someone becomes an author, once."""

    link: str
    expires_days: int = _INVITATION_DAYS


class Retired(BaseModel):
    """The versions that were retired."""

    versions: list[str]


_PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": text}
    for status, text in {
        400: "the request is wrong",
        413: "the body is too large",
        429: "too many requests",
        503: "not at the moment",
    }.items()
}
_SIGNED: dict[int | str, dict[str, Any]] = {
    401: {"model": Problem, "description": "no valid token"},
    403: {"model": Problem, "description": "not allowed"},
}
_MISSING: dict[int | str, dict[str, Any]] = {
    404: {"model": Problem, "description": "there is no such thing"}
}
router = APIRouter(prefix="/api/v1", responses=_PROBLEMS)


async def _cached(
    request: Request, what: str, make: Callable[[Reader], Sequence[BaseModel]], *asked: object
) -> Response:
    """Answer with rows that are read once for each state of the league."""

    def dumped(reader: Reader) -> bytes:
        rows = [each.model_dump() for each in make(reader)]
        return json.dumps(rows, separators=(",", ":")).encode()

    content = await service_of(request).snapshot.content(("api", what, *asked), dumped)
    return answer(request, content, "application/json")


def answer(request: Request, content: CachedContent, media_type: str) -> Response:
    """Send cached content, compressed if the client can read it, or say that it has not changed."""
    headers = {"ETag": content.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == content.tag:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(content.zipped, media_type=media_type, headers=headers)
    return Response(content.plain, media_type=media_type, headers=headers)


@router.get("/league")
async def league(service: Service) -> LeagueStatus:
    """Return the league and what happens now."""
    config = service.config
    return LeagueStatus(
        title=config.title,
        welcome=config.welcome,
        season=await service.season(),
        freeze=config.freeze.isoformat() if config.freeze else None,
        games=sorted({spec.game for spec in config.ladders()}),
        quotas=config.quotas,
        playing=service.progress,
        queue=await service.file.read(queue_length),
        results=service.snapshot.number,
        notices=list(service.notices),
    )


@router.get("/leaderboard", response_model=list[results.LeaderboardEntry])
async def leaderboard(request: Request, game: Game = None) -> Response:
    """Return the leaderboards."""
    make = partial(results.leaderboard_entries, game=game)
    return await _cached(request, "leaderboard", make, game)


@router.get("/head-to-head", response_model=list[results.Meeting])
async def head_to_head(request: Request, bot: BotName, game: Game = None) -> Response:
    """Return how a bot did against all others."""
    make = partial(results.meetings, game=game, bot=bot)
    return await _cached(request, "head-to-head", make, game, bot)


@router.get("/bots", response_model=list[results.ListedBot])
async def bots(request: Request) -> Response:
    """Return all versions of all bots."""
    return await _cached(request, "bots", results.listed_bots)


@router.get("/events", response_model=list[results.ListedEvent])
async def events(request: Request) -> Response:
    """Return all events."""
    return await _cached(request, "events", results.listed_events)


@router.get("/seasons", response_model=list[results.ListedSeason])
async def seasons(request: Request) -> Response:
    """Return all seasons."""
    return await _cached(request, "seasons", results.listed_seasons)


@router.get("/matches", response_model=list[results.ListedMatch], responses=_MISSING)
async def matches(
    request: Request,
    event: Annotated[str | None, Query(max_length=60)] = None,
    bot: BotName | None = None,
    before: Annotated[int | None, Query(ge=0, le=_BIGGEST)] = None,
    limit: Limit = 50,
) -> Response:
    """Return the newest matches; pass the last `id` as `before` for those before it."""
    make = partial(results.listed_matches, event=event, bot=bot, before=before, limit=limit)
    return await _cached(request, "matches", make, event, bot, before, limit)


@router.get(
    "/matches/{event}/{number}/replay",
    response_class=Response,
    responses={**_MISSING, 200: {"content": {"application/octet-stream": {}}}},
)
async def replay(service: Service, event: Name, number: Number) -> Response:
    """Return a replay for `arena replay`, without what bots have printed."""
    content = write_replay(await public_match(service, event, number))
    headers = {"Content-Disposition": f'attachment; filename="match-{number}.replay"'}
    return Response(content, media_type="application/octet-stream", headers=headers)


async def public_match(
    service: LeagueService, event: str, number: int, *, own: Collection[str] = ()
) -> Record:
    """Return a match, with the output of one's own bots only."""
    found = await service.snapshot.read(results.public_replay, event, number, own=own)
    if not found:
        raise HTTPException(404, f"event {event} has no match {number} that can be watched")
    return found


@router.get("/me", responses=_SIGNED)
async def me(service: Service, author: SignedIn) -> Me:
    """Return the author of the token, and whether they may submit now."""

    def look(file: Reader) -> Me:
        sentence = ""
        try:
            check_quotas(file, author, service.config, now=now())
        except OverQuota as error:
            sentence = str(error)
        return Me(
            name=author.name,
            role=author.role,
            bots=bots_of(file, author.id),
            submissions_today=len(received_since(file, author.id, now() - DAY)),
            may_submit=not sentence,
            sentence=sentence,
        )

    return await service.file.read(look)


@router.get("/faults", responses=_SIGNED)
async def faults(service: Service, author: SignedIn, limit: Limit = 50) -> list[results.OwnFault]:
    """Return the newest faults of one's own bots, with what they printed."""
    own = await service.file.read(bots_of, author.id)
    return await service.snapshot.read(results.faults_of_bots, own, limit)


@router.post(
    "/submissions",
    status_code=202,
    responses={**_SIGNED, 422: {"model": Problem, "description": "the package is wrong"}},
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
async def submit(request: Request, service: Service, author: SignedIn) -> SubmissionStatus:
    """Send a bot: the zip file of its folder. It is checked, and then plays."""
    return await receive(service, author, await request.body())


async def receive(service: LeagueService, author: LeagueAuthor, blob: bytes) -> SubmissionStatus:
    """Put a package into the queue."""
    config = service.config
    await service.file.read(check_quotas, author, config, now=now())
    if len(blob) > config.quotas.package_kib * 1024:
        raise HTTPException(413, f"the package is over {config.quotas.package_kib:,} KiB")
    check_rate(service.packages.wait_s(str(author.id)))
    async with service.unpacking:
        try:
            received = await asyncio.to_thread(look_at, blob, config)
        except BadInput as error:
            service.counts["packages refused"] += 1
            raise HTTPException(422, str(error)) from None
    number = await service.file.write(put_into_queue, received, author, config, now=now())
    service.counts["packages received"] += 1
    service.arrived.set()
    return await submission(service, author, number)


@router.get("/submissions", responses=_SIGNED)
async def submissions(service: Service, author: SignedIn) -> list[SubmissionStatus]:
    """Return what one has submitted, the newest first."""
    uploads = await service.file.read(uploads_of, author.id)
    return [status_of(service, upload) for upload in uploads]


@router.get("/submissions/{number}", responses={**_SIGNED, **_MISSING})
async def submission(service: Service, author: SignedIn, number: Number) -> SubmissionStatus:
    """Return a submission of one's own, with the steps of its check so far."""
    upload = await service.file.read(find_upload, number)
    if not upload or not (upload.author == author.id or author.is_organiser):
        raise HTTPException(404, f"you have no submission {number}")
    return status_of(service, upload)


def status_of(service: LeagueService, upload: Upload) -> SubmissionStatus:
    """Return how far a package has come."""
    steps = service.checking.get(upload.id)
    return SubmissionStatus(
        id=upload.id,
        bot=upload.bot,
        received=upload.received,
        status=upload.status if steps is None else "checking",
        sentence=upload.sentence,
        version=upload.version,
        cpu_s=upload.cpu_ms / 1000,
        steps=[CheckStep(**step) for step in steps or upload.steps],
    )


@router.post("/bots/{bot}/retire", responses={**_SIGNED, **_MISSING})
async def retire_bot(service: Service, author: SignedIn, bot: Name) -> Retired:
    """Retire a bot of one's own, or one version of it, such as kitten@2."""
    name = bot.partition("@")[0]
    if await service.file.read(owner_of, name) != author.id and not author.is_organiser:
        raise HTTPException(403, f"{name} is not your bot")
    retired = await service.file.write(retire, bot, now=now())
    return Retired(versions=list(map(str, retired)))


@router.get("/authors", responses=_SIGNED, dependencies=[Depends(only_organiser)])
async def authors(service: Service) -> list[ListedAuthor]:
    """Return all authors with their bots; for organisers."""

    def read(file: Reader) -> list[ListedAuthor]:
        return [
            ListedAuthor(**author._asdict(), bots=bots_of(file, author.id))
            for author in all_authors(file)
        ]

    return await service.file.read(read)


@router.post(
    "/invitations", status_code=201, responses=_SIGNED, dependencies=[Depends(only_organiser)]
)
async def make_invitation(service: Service) -> Invitation:
    """Return a link with which someone can become an author; for organisers."""
    code = await service.file.write(invite, now=now(), days=_INVITATION_DAYS)
    return Invitation(link=f"{service.config.address.rstrip('/')}/join/{code}")


def _check_live_pages(service: Service, address: Address) -> None:
    if not service.feed.may_open(address, service.config.quotas.live_pages):
        raise HTTPException(503, "too many live pages are open: try again later")


@router.get("/live", response_class=EventSourceResponse, dependencies=[Depends(_check_live_pages)])
async def live(service: Service, address: Address) -> AsyncIterable[ServerSentEvent]:
    """Follow what is played: `progress`, and `results` when there are new ones."""
    async for name, data in service.feed.messages(address):
        yield ServerSentEvent(event=name, raw_data=data)
