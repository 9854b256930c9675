"""Who sends a request, and what they may do.

A program sends its token with each request. A browser has a session, which is another token in a
cookie; whatever changes something then also needs the session's code in its form, and must come
from a page of ours, because other sites can make a browser send cookies.
"""

from __future__ import annotations

import hashlib
import hmac
from datetime import UTC, datetime, timedelta
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Form, HTTPException, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.responses import Response

from arena.serve.limits import Buckets, address_key
from arena.serve.service import LeagueService
from leaderboard.authors import LeagueAuthor, author_with_token, make_session

SESSION = "arena_session"
_SESSION_AGE = timedelta(days=30)
_bearer = HTTPBearer(auto_error=False, description="The token that `arena author add` printed.")


class Doorkeeper:
    """Counts requests of each token, and guesses of each address."""

    def __init__(self, requests_per_minute: float) -> None:
        """Allow each token this many requests."""
        self._tokens = Buckets(requests_per_minute)
        self._guesses = Buckets(requests_per_minute)

    async def author(self, request: Request, token: str) -> LeagueAuthor | None:
        """Return the author of a token; an address may try only so many wrong ones.

        A right one is always taken: a class that shares an address is not locked out by one of it.
        """
        service = service_of(request)
        author = await service.file.read(author_with_token, token, now=now())
        if author is None:
            service.counts["wrong tokens"] += 1
            check_rate(
                self._guesses.wait_s(address_key(request.client.host if request.client else ""))
            )
            return None
        check_rate(self._tokens.wait_s(str(author.id)))
        return author


def address_of(request: Request) -> str:
    """Return the key of the client's address."""
    return address_key(request.client.host if request.client else "")


Address = Annotated[str, Depends(address_of)]


def check_rate(wait_s: float) -> None:
    """Refuse a request that came too soon."""
    if wait_s:
        wait = str(int(wait_s) + 1)
        sentence = f"too many requests: try again in {wait} s"
        raise HTTPException(429, sentence, {"Retry-After": wait})


def service_of(request: Request) -> LeagueService:
    """Return what all requests share."""
    service: LeagueService = request.app.state.service
    return service


Service = Annotated[LeagueService, Depends(service_of)]


async def author_of_program(
    request: Request,
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> LeagueAuthor:
    """Return the author whose token a program has sent; 401 without a valid one."""
    doorkeeper: Doorkeeper = request.app.state.doorkeeper
    if credentials and (author := await doorkeeper.author(request, credentials.credentials)):
        return author
    what = "this token is not valid" if credentials else "this needs a token"
    sentence = f"{what}: use `arena login`, or send it as `Authorization: Bearer TOKEN`"
    raise HTTPException(401, sentence, {"WWW-Authenticate": "Bearer"})


SignedIn = Annotated[LeagueAuthor, Depends(author_of_program)]


def only_organiser(author: SignedIn) -> LeagueAuthor:
    """Refuse everyone but organisers."""
    if not author.is_organiser:
        raise HTTPException(403, "only an organiser may do this")
    return author


async def author_of_browser(request: Request) -> LeagueAuthor | None:
    """Return the author of the browser's session; None without one."""
    token = request.cookies.get(SESSION)
    doorkeeper: Doorkeeper = request.app.state.doorkeeper
    return await doorkeeper.author(request, token) if token else None


Visitor = Annotated[LeagueAuthor | None, Depends(author_of_browser)]


def only_signed_in(visitor: Visitor) -> LeagueAuthor:
    """Send others to the page where they sign in."""
    if not visitor:
        raise HTTPException(303, "sign in first", {"Location": "/login"})
    return visitor


SignedInVisitor = Annotated[LeagueAuthor, Depends(only_signed_in)]


async def begin_session(service: LeagueService, response: Response, author: LeagueAuthor) -> None:
    """Sign a browser in."""
    expires = now() + _SESSION_AGE
    token = await service.file.write(make_session, author, now=now(), expires=expires)
    response.set_cookie(
        SESSION,
        token,
        max_age=int(_SESSION_AGE.total_seconds()),
        secure=service.config.is_secure,
        httponly=True,
        samesite="lax",
    )


def form_code(request: Request) -> str:
    """Return the code that the forms of this session have."""
    token = request.cookies.get(SESSION, "")
    return hmac.new(token.encode(), b"form", hashlib.sha256).hexdigest()


def check_origin(request: Request) -> None:
    """Refuse a form that was sent by a page of another site."""
    origin = request.headers.get("origin")
    site = request.headers.get("sec-fetch-site", "same-origin")
    # A reverse proxy may leave out the port of the name.
    address = service_of(request).config.address
    names = {request.headers.get("host", ""), urlsplit(address).netloc}
    is_ours = origin is not None and urlsplit(origin).netloc in names
    if not is_ours or site not in ("same-origin", "none"):
        raise HTTPException(403, "this form was not sent by a page of this league")


def check_form(request: Request, code: Annotated[str, Form(max_length=300)]) -> None:
    """Refuse a form that does not have the session's code."""
    if not hmac.compare_digest(code.encode(), form_code(request).encode()):
        raise HTTPException(403, "this form is out of date: load the page again")


def now() -> datetime:
    """Return the present time."""
    return datetime.now(UTC)
