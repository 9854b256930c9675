"""The pages of a served league for the browser: the board, live pages, joining and submitting."""

from __future__ import annotations

import time
import zipfile
from collections.abc import Callable
from io import BytesIO
from itertools import groupby
from typing import Annotated, Any

from fastapi import APIRouter, Depends, File, Form, HTTPException, Request, UploadFile
from starlette.responses import HTMLResponse, RedirectResponse, Response

from arena import __version__
from arena.errors import ArenaError
from arena.games.registry import game_named
from arena.pages.replay_page import replay_page
from arena.pages.site.folder import STAMP
from arena.pages.site.pages import Options, Site, read_site
from arena.pages.template import templates
from arena.replays.format import read_replay, write_replay
from arena.serve import api, results
from arena.serve.access import (
    SESSION,
    Doorkeeper,
    Service,
    SignedInVisitor,
    Visitor,
    begin_session,
    check_form,
    check_origin,
    form_code,
    now,
    service_of,
)
from arena.serve.api import Name, Number, answer
from arena.serve.intake import OverQuota
from arena.serve.service import LeagueService
from arena.serve.snapshot import NotYet
from arena.submission.package import MAX_FILES
from leaderboard.authors import (
    LeagueAuthor,
    accept_invitation,
    author_with_token,
    bots_of,
    end_token,
    is_open,
)
from leaderboard.matches import replay_of
from leaderboard.seasons import all_seasons
from leaderboard.store import Reader

_NEWEST = 20
_FAULTS = 20
_SITE_AGE_S = 60.0
_SITE_MATCHES = 50_000
_KINDS = {
    "html": "text/html",
    "csv": "text/csv",
    "json": "application/json",
    "svg": "image/svg+xml",
    "png": "image/png",
}
_FRAMED = {"Content-Security-Policy": "frame-ancestors 'self'", "X-Frame-Options": "SAMEORIGIN"}
"""For pages with a content policy of their own, which may be in a frame of ours."""
Text = Annotated[str, Form(max_length=300)]
_OUR_FORM = [Depends(check_origin)]
_SESSIONS_FORM = [Depends(check_origin), Depends(check_form)]
router = APIRouter(include_in_schema=False)


def render(request: Request, template: str, **context: Any) -> str:
    """Return a page; the context of a template differs from page to page, hence Any."""
    config = service_of(request).config
    shared = {"league_title": config.title, "arena_version": __version__}
    page = templates("arena.serve", "templates").get_template(template)
    return page.render(**shared, address=config.address.rstrip("/"), **context)


def _page(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    return HTMLResponse(render(request, template, **context), status)


async def _cached_page(request: Request, key: object, make: Callable[[Reader], str]) -> Response:
    content = await service_of(request).snapshot.content(
        ("page", key), lambda reader: make(reader).encode()
    )
    return answer(request, content, "text/html; charset=utf-8")


@router.get("/")
async def home(request: Request) -> Response:
    """Show the leaderboards."""

    def make(reader: Reader) -> str:
        rows = results.leaderboard_entries(reader, None)
        boards = [
            (_title(game, variant), list(board))
            for (game, variant), board in groupby(rows, lambda row: (row.game, row.variant))
        ]
        closed = [season for season in reversed(all_seasons(reader)) if season.closed]
        welcome = service_of(request).config.welcome
        return render(request, "home.html", boards=boards, seasons=closed, welcome=welcome)

    return await _cached_page(request, "home", make)


def _title(game: str, variant: str) -> str:
    title = game_named(game).title
    return title if variant in ("", "standard") else f"{title}, {variant}"


@router.get("/live")
async def live(request: Request) -> Response:
    """Show what is played now, the newest results, and ratings over time."""

    def make(reader: Reader) -> str:
        newest = results.listed_matches(reader, limit=_NEWEST)
        return render(request, "live.html", matches=newest)

    return await _cached_page(request, "live", make)


@router.get("/tv")
async def tv(request: Request) -> Response:
    """Play the newest match by itself."""
    return HTMLResponse(render(request, "tv.html"), headers=_with_policy("'self'"))


def _with_policy(source: str) -> dict[str, str]:
    policy = f"default-src {source}; frame-ancestors 'self'; base-uri 'none'"
    return {"Content-Security-Policy": policy, "X-Frame-Options": "SAMEORIGIN"}


@router.get("/matches/{event}/{number}")
async def match(service: Service, visitor: Visitor, event: Name, number: Number) -> Response:
    """Show a replay; its own bots' output only to their author."""
    own = await service.file.read(bots_of, visitor.id) if visitor else []
    found = await api.public_match(service, event, number, own=own)
    return HTMLResponse(replay_page(found), headers=_FRAMED)


@router.get("/site/{path:path}")
async def site(request: Request, path: str) -> Response:
    """Show a page of the league's report: variants, events, bots, and matches without output."""
    sites: Sites = request.app.state.sites
    made = await service_of(request).snapshot.read(sites.page, path or "index.html")
    if made is None:
        raise HTTPException(404, "there is no such page")
    kind, content = made
    return Response(content, media_type=kind, headers=_FRAMED)


class Sites:
    """The report on a league, which is read again at most once a minute: that takes a moment."""

    def __init__(self, title: str, url: str) -> None:
        """Present the league by this title; pages are published below `url`."""
        self._options = Options(title=title, url=url)
        self._site: Site | None = None
        self._read_at = 0.0

    def page(self, reader: Reader, path: str) -> tuple[str, bytes] | None:
        """Return the media type and the content of a page; None if there is none."""
        kind = _KINDS.get(path.rpartition(".")[2])
        site = self._current(reader)
        made = site.make(path)
        if made is None and (match := site.match_at(path)):
            stored = replay_of(reader, match.event, match.result.number)
            if stored:
                shown = write_replay(results.without_output(read_replay(stored), ()))
                made = site.make_replay(path, match, shown)
        if made is None or kind is None:
            return None
        content = made.encode() if isinstance(made, str) else made
        return kind, content.replace(STAMP.encode(), b"just now")

    def _current(self, reader: Reader) -> Site:
        now_s = time.monotonic()
        if self._site is None or now_s - self._read_at > _SITE_AGE_S:
            ((matches,),) = reader.rows("SELECT coalesce(max(id), 0) FROM matches")
            if matches > _SITE_MATCHES:
                raise NotYet(
                    f"the league has {matches:,} matches, too many for these pages while it is "
                    "served: `arena report` writes them from a backup"
                )
            self._site, self._read_at = read_site(reader, self._options), now_s
        return self._site


@router.get("/join/{code}")
async def invitation(request: Request, service: Service, code: str) -> Response:
    """Show an invitation."""
    return await _invitation(request, service, code)


async def _invitation(
    request: Request, service: LeagueService, code: str, problem: str = ""
) -> Response:
    is_valid = await service.file.read(is_open, code, now=now())
    status = 400 if problem else 200 if is_valid else 404
    return _page(request, "join.html", status, is_open=is_valid, problem=problem)


@router.post("/join/{code}", dependencies=_OUR_FORM)
async def join(request: Request, service: Service, code: str, name: Text) -> Response:
    """Take a name, and show its token once."""
    try:
        token = await service.file.write(accept_invitation, code, name, now=now())
    except ArenaError as error:
        return await _invitation(request, service, code, str(error))
    author = await service.file.read(author_with_token, token, now=now())
    assert author
    response = _page(request, "token.html", author=author.name, token=token)
    await begin_session(service, response, author)
    return response


@router.get("/login")
async def sign_in(request: Request) -> Response:
    """Ask for a token."""
    return _page(request, "login.html", problem="")


@router.post("/login", dependencies=_OUR_FORM)
async def login(request: Request, service: Service, token: Text) -> Response:
    """Begin a session."""
    doorkeeper: Doorkeeper = request.app.state.doorkeeper
    author = await doorkeeper.author(request, token.strip())
    if not author:
        return _page(request, "login.html", 401, problem="This token is not valid.")
    response = RedirectResponse("/me", 303)
    await begin_session(service, response, author)
    return response


@router.post("/logout", dependencies=_SESSIONS_FORM)
async def logout(request: Request, service: Service, visitor: SignedInVisitor) -> Response:
    """End the session."""
    await service.file.write(end_token, request.cookies[SESSION], now=now())
    response = RedirectResponse("/", 303)
    response.delete_cookie(SESSION)
    return response


@router.get("/me")
async def me(request: Request, service: Service, visitor: SignedInVisitor) -> Response:
    """Show one's submissions and faults, and a form to submit."""
    return await _me(request, service, visitor)


async def _me(
    request: Request,
    service: LeagueService,
    visitor: LeagueAuthor,
    problem: str = "",
    status: int = 200,
) -> Response:
    return _page(
        request,
        "me.html",
        status,
        me=await api.me(service, visitor),
        submissions=await api.submissions(service, visitor),
        faults=await api.faults(service, visitor, _FAULTS) if service.snapshot.number else (),
        problem=problem,
        code=form_code(request),
    )


@router.post("/submit", dependencies=_SESSIONS_FORM)
async def submit(
    request: Request,
    service: Service,
    visitor: SignedInVisitor,
    package: Annotated[UploadFile | None, File()] = None,
    files: Annotated[list[UploadFile], File(max_length=MAX_FILES)] = [],  # noqa: B006
    paths: Annotated[list[str], Form(max_length=MAX_FILES)] = [],  # noqa: B006
) -> Response:
    """Take a zip file, or the files of a folder with their paths."""
    try:
        if package and package.filename:
            blob = await package.read()
        else:
            contents = [await file.read() for file in files]
            blob = _zip(list(zip(paths, contents, strict=False)))
        sent = await api.receive(service, visitor, blob)
    except HTTPException as error:
        return await _me(request, service, visitor, str(error.detail), error.status_code)
    except OverQuota as error:
        return await _me(request, service, visitor, str(error), 429)
    except ArenaError as error:
        return await _me(request, service, visitor, str(error), 400)
    return RedirectResponse(f"/submissions/{sent.id}", 303)


def _zip(contents: list[tuple[str, bytes]]) -> bytes:
    """Return a zip file; whoever reads it checks the names."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in dict(contents).items():
            archive.writestr(zipfile.ZipInfo(path), content)
    return out.getvalue()


@router.get("/submissions/{number}")
async def submission(
    request: Request, service: Service, visitor: SignedInVisitor, number: Number
) -> Response:
    """Show the steps of a check as they happen."""
    found = await api.submission(service, visitor, number)
    return _page(request, "submission.html", submission=found)
