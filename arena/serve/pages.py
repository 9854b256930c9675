"""The pages of a served league for the browser: the board, live pages, joining and submitting."""

from __future__ import annotations

import time
import zipfile
from collections.abc import Callable
from functools import cache
from importlib.resources import files
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
from arena.serve import results
from arena.serve.access import (
    SESSION,
    Doorkeeper,
    Visitor,
    begin_session,
    check_form,
    check_origin,
    form_code,
    now,
    service_of,
)
from arena.serve.api import Name, Number, answer, receive, status_of
from arena.serve.intake import OverQuota, check_quotas
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
from leaderboard.uploads import find_upload, uploads_of

_NEWEST = 20
_FAULTS = 20
_SITE = "arena.pages.site"
_SITE_AGE_S = 60.0
_SITE_MATCHES = 50_000
_KINDS = {
    "html": "text/html",
    "csv": "text/csv",
    "json": "application/json",
    "svg": "image/svg+xml",
    "png": "image/png",
}
STATIC: dict[str, tuple[str, str, str]] = {
    "site.css": (_SITE, "templates", "text/css"),
    "tables.js": (_SITE, "templates", "text/javascript"),
    "serve.css": ("arena.serve", "files", "text/css"),
    "live.js": ("arena.serve", "files", "text/javascript"),
    "tv.js": ("arena.serve", "files", "text/javascript"),
    "submit.js": ("arena.serve", "files", "text/javascript"),
    "submission.js": ("arena.serve", "files", "text/javascript"),
}
"""All files that pages ask for, each with its package, its folder and its type."""
_FRAMED = {"Content-Security-Policy": "frame-ancestors 'self'", "X-Frame-Options": "SAMEORIGIN"}
"""For pages with a content policy of their own, which may be in a frame of ours."""
Text = Annotated[str, Form(max_length=300)]
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
            (_title(game, variant), [_with_strength(row) for row in board])
            for (game, variant), board in groupby(rows, lambda row: (row.game, row.variant))
        ]
        closed = [season for season in reversed(all_seasons(reader)) if season.closed]
        welcome = service_of(request).config.welcome
        return render(request, "home.html", boards=boards, seasons=closed, welcome=welcome)

    return await _cached_page(request, "home", make)


def _with_strength(row: results.LeaderboardEntry) -> dict[str, Any]:
    text = "" if row.strength is None else f"{row.strength:.1f}"
    if text and row.strength_error is not None:
        text += f" ± {row.strength_error:.1f}"
    return {**row.model_dump(), "strength_text": text}


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
async def match(request: Request, visitor: Visitor, event: Name, number: Number) -> Response:
    """Show a replay; its own bots' output only to their author."""
    service = service_of(request)
    own = await service.file.read(lambda file: bots_of(file, visitor.id)) if visitor else []
    found = await service.snapshot.read(
        lambda file: results.public_replay(file, event, number, own=own)
    )
    if not found:
        raise HTTPException(404, f"event {event} has no match {number} that can be watched")
    return HTMLResponse(replay_page(found), headers=_FRAMED)


@router.get("/site/{path:path}")
async def site(request: Request, path: str) -> Response:
    """Show a page of the league's report: variants, events, bots, and matches without output."""
    sites: Sites = request.app.state.sites
    made = await service_of(request).snapshot.read(
        lambda reader: sites.page(path or "index.html", reader)
    )
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

    def page(self, path: str, reader: Reader) -> tuple[str, bytes] | None:
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


@router.get("/static/{name}")
async def static(request: Request, name: str) -> Response:
    """Return one of our files, by a name that is listed."""
    if name not in STATIC:
        raise HTTPException(404, "there is no such file")
    return Response(
        _static(name), media_type=STATIC[name][2], headers={"Cache-Control": "no-cache"}
    )


@cache
def _static(name: str) -> bytes:
    package, folder, _ = STATIC[name]
    return files(package).joinpath(folder, name).read_bytes()


@router.get("/join/{code}")
async def invitation(request: Request, code: str) -> Response:
    """Show an invitation."""
    is_valid = await service_of(request).file.read(lambda file: is_open(file, code, now=now()))
    return _page(request, "join.html", 200 if is_valid else 404, is_open=is_valid, problem="")


@router.post("/join/{code}", dependencies=[Depends(check_origin)])
async def join(request: Request, code: str, name: Text) -> Response:
    """Take a name, and show its token once."""
    service = service_of(request)
    try:
        token = await service.file.write(
            lambda file: accept_invitation(file, code, name, now=now())
        )
    except ArenaError as error:
        is_valid = await service.file.read(lambda file: is_open(file, code, now=now()))
        return _page(request, "join.html", 400, is_open=is_valid, problem=str(error))
    author = await service.file.read(lambda file: author_with_token(file, token, now=now()))
    assert author
    response = _page(request, "token.html", author=author.name, token=token)
    await begin_session(service, response, author)
    return response


@router.get("/login")
async def sign_in(request: Request) -> Response:
    """Ask for a token."""
    return _page(request, "login.html", problem="")


@router.post("/login", dependencies=[Depends(check_origin)])
async def login(request: Request, token: Text) -> Response:
    """Begin a session."""
    doorkeeper: Doorkeeper = request.app.state.doorkeeper
    author = await doorkeeper.author(request, token.strip())
    if not author:
        return _page(request, "login.html", 401, problem="This token is not valid.")
    response = RedirectResponse("/me", 303)
    await begin_session(service_of(request), response, author)
    return response


@router.post("/logout", dependencies=[Depends(check_origin)])
async def logout(request: Request, visitor: Visitor, code: Text) -> Response:
    """End the session."""
    if visitor:
        check_form(request, code)
        session = request.cookies[SESSION]
        await service_of(request).file.write(lambda file: end_token(file, session, now=now()))
    response = RedirectResponse("/", 303)
    response.delete_cookie(SESSION)
    return response


@router.get("/me")
async def me(request: Request, visitor: Visitor) -> Response:
    """Show one's submissions and faults, and a form to submit."""
    return await _me(request, visitor) if visitor else RedirectResponse("/login", 303)


async def _me(
    request: Request, author: LeagueAuthor, problem: str = "", status: int = 200
) -> Response:
    service = service_of(request)

    def read(file: Reader) -> tuple[list[Any], list[str], str]:
        try:
            check_quotas(file, author, service.config, now=now())
        except OverQuota as error:
            return uploads_of(file, author.id), bots_of(file, author.id), str(error)
        return uploads_of(file, author.id), bots_of(file, author.id), ""

    uploads, own, quota = await service.file.read(read)
    faults: list[results.OwnFault] = []
    if service.snapshot.number:
        faults = await service.snapshot.read(
            lambda file: results.faults_of_bots(file, own, _FAULTS)
        )
    return _page(
        request,
        "me.html",
        status,
        author=author,
        uploads=uploads,
        faults=faults,
        quota=quota,
        problem=problem,
        code=form_code(request),
    )


@router.post("/submit", dependencies=[Depends(check_origin)])
async def submit(
    request: Request,
    visitor: Visitor,
    code: Text,
    package: Annotated[UploadFile | None, File()] = None,
    files: Annotated[list[UploadFile], File(max_length=MAX_FILES)] = [],  # noqa: B006
    paths: Annotated[list[str], Form(max_length=MAX_FILES)] = [],  # noqa: B006
) -> Response:
    """Take a zip file, or the files of a folder with their paths."""
    if not visitor:
        return RedirectResponse("/login", 303)
    check_form(request, code)
    try:
        if package and package.filename:
            blob = await package.read()
        else:
            contents = [await file.read() for file in files]
            blob = _zip(list(zip(paths, contents, strict=False)))
        status = await receive(service_of(request), visitor, blob)
    except HTTPException as error:
        return await _me(request, visitor, str(error.detail), error.status_code)
    except OverQuota as error:
        return await _me(request, visitor, str(error), 429)
    except ArenaError as error:
        return await _me(request, visitor, str(error), 400)
    return RedirectResponse(f"/submissions/{status.id}", 303)


def _zip(contents: list[tuple[str, bytes]]) -> bytes:
    """Return a zip file; whoever reads it checks the names."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in dict(contents).items():
            archive.writestr(zipfile.ZipInfo(path), content)
    return out.getvalue()


@router.get("/submissions/{number}")
async def submission(request: Request, visitor: Visitor, number: Number) -> Response:
    """Show the steps of a check as they happen."""
    if not visitor:
        return RedirectResponse("/login", 303)
    service = service_of(request)
    upload = await service.file.read(lambda file: find_upload(file, number))
    if not upload or not (upload.author == visitor.id or visitor.is_organiser):
        raise HTTPException(404, f"you have no submission {number}")
    return _page(request, "submission.html", submission=status_of(service, upload))
