"""The web application: the API, the pages, what machines ask for, and how errors are answered."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles

from arena import __version__
from arena.errors import ArenaError, BadInput, LeagueInUse, LeagueNotWritten, UnknownName
from arena.serve import api, pages
from arena.serve.access import Doorkeeper, service_of
from arena.serve.intake import OverQuota
from arena.serve.limits import Guard
from arena.serve.metrics import metrics_text
from arena.serve.service import LeagueService
from arena.serve.snapshot import NotYet

_RETRY_S = 5
_STATIC: Sequence[str | tuple[str, str]] = (
    ("arena.serve", "files"),
    ("arena.pages.site", "templates"),
)
"""Packages with the folders whose files pages ask for."""


def make_app(service: LeagueService) -> FastAPI:
    """Return the application that serves a league."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with service.running():
            yield

    app = FastAPI(
        title=service.config.title,
        version=__version__,
        description="The API of a league. Times are UTC. Errors have a sentence in `detail`.",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,  # its scripts come from another site
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.service = service
    app.state.doorkeeper = Doorkeeper(service.config.quotas.requests_per_minute)
    app.state.sites = pages.Sites(
        service.config.title, f"{service.config.address.rstrip('/')}/site/"
    )
    app.include_router(api.router)
    app.include_router(pages.router)
    app.mount("/static", StaticFiles(packages=list(_STATIC)))
    app.add_api_route("/healthz", healthz, include_in_schema=False)
    app.add_api_route("/metrics", metrics, include_in_schema=False)
    app.add_exception_handler(ArenaError, _answer_error)
    app.add_exception_handler(HTTPException, _answer_refusal)
    app.add_exception_handler(RequestValidationError, _answer_invalid)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=service.config.hosts)
    app.add_middleware(
        Guard,
        quotas=service.config.quotas,
        is_secure=service.config.is_secure,
        count=lambda what: service.counts.update([what]),
    )
    return app


async def healthz(request: Request) -> Response:
    """Answer whether the league is played and can be read."""
    service = service_of(request)
    await service.file.read(lambda file: file.row("SELECT 1"))
    if not service.is_playing:
        return PlainTextResponse("the player is not running\n", 503)
    return PlainTextResponse("ok\n")


async def metrics(request: Request) -> Response:
    """Answer with figures in the text format of Prometheus."""
    return PlainTextResponse(await metrics_text(service_of(request)))


async def _answer_error(request: Request, error: Exception) -> Response:
    status, headers = 500, {}
    match error:
        case OverQuota():
            status, headers = 429, {"Retry-After": str(error.wait_s)}
        case NotYet() | LeagueInUse() | LeagueNotWritten():
            status, headers = 503, {"Retry-After": str(_RETRY_S)}
        case UnknownName():
            status = 404
        case BadInput():
            status = 400
    return _problem(request, status, str(error), headers)


async def _answer_refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _problem(request, error.status_code, str(error.detail), dict(error.headers or {}))


async def _answer_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(map(str, first["loc"][1:]))
    return _problem(request, 400, f"{where}: {first['msg']}", {})


def _problem(request: Request, status: int, sentence: str, headers: dict[str, str]) -> Response:
    """Answer a program with JSON and a browser with a page."""
    if request.url.path.startswith("/api/"):
        return JSONResponse({"detail": sentence}, status, headers)
    heading = "Not at the moment" if status == 503 else "This is not possible"
    page = pages.render(request, "message.html", heading=heading, sentence=sentence)
    return HTMLResponse(page, status, headers)
