"""Each endpoint for each role: what is answered to whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pytest

from leaderboard.authors import AUTHOR, ORGANISER, find_author, revoke_author, take_ownership
from leaderboard.store import Store
from leaderboard.uploads import add_upload
from tests.builders.leagues import NOON, submit_named
from tests.serve.in_process import InProcess

ROLES = ("nobody", "wrong", "revoked", "other", "owner", "organiser")
PUBLIC = (200, 200, 200, 200, 200, 200)
SIGNED = (401, 401, 401, 200, 200, 200)
API = {
    "GET /api/v1/league": PUBLIC,
    "GET /api/v1/leaderboard": PUBLIC,
    "GET /api/v1/head-to-head?bot=kitten": PUBLIC,
    "GET /api/v1/bots": PUBLIC,
    "GET /api/v1/events": PUBLIC,
    "GET /api/v1/seasons": PUBLIC,
    "GET /api/v1/matches": PUBLIC,
    "GET /api/v1/matches/cup/0/replay": (404,) * 6,
    "GET /api/v1/me": SIGNED,
    "GET /api/v1/faults": SIGNED,
    "GET /api/v1/submissions": SIGNED,
    "GET /api/v1/submissions/1": (401, 401, 401, 404, 200, 200),
    "POST /api/v1/submissions": (401, 401, 401, 422, 422, 422),
    "POST /api/v1/bots/kitten/retire": (401, 401, 401, 403, 200, 200),
    "GET /api/v1/authors": (401, 401, 401, 403, 403, 200),
    "POST /api/v1/invitations": (401, 401, 401, 403, 403, 201),
}
"""The status for each role."""
ENDLESS = {"GET /api/v1/live": "tests/serve/test_server.py follows it"}
PAGES = {
    "GET /": PUBLIC,
    "GET /live": PUBLIC,
    "GET /tv": PUBLIC,
    "GET /login": PUBLIC,
    "GET /healthz": (503,) * 6,
    "GET /metrics": PUBLIC,
    "GET /static/site.css": PUBLIC,
    "GET /matches/cup/0": (404,) * 6,
    "GET /join/x": (404,) * 6,
    "GET /me": (303, 303, 303, 200, 200, 200),
    "GET /submissions/1": (303, 303, 303, 404, 200, 200),
    "GET /api/v1/openapi.json": PUBLIC,
}


class Served(NamedTuple):
    """A league, and the token of each role."""

    league: InProcess
    tokens: dict[str, str]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a league with a bot that belongs to `owner`."""
    folder = tmp_path_factory.mktemp("roles")
    league = InProcess(folder, ("requests_per_minute = 300", "requests_per_minute = 3000"))
    tokens = {"nobody": "", "wrong": "arena_1_wrong"}
    for name in ROLES[2:]:
        tokens[name] = league.author(name, name if name == ORGANISER else AUTHOR)
    with Store.open(league.db) as store, store.writing_bots() as writer:
        owner = find_author(writer, "owner")
        take_ownership(writer, "kitten", owner)
        submit_named(writer, folder, "kitten")
        add_upload(writer, owner, "kitten", "00", b"", now=NOON)
        revoke_author(writer, "revoked", now=NOON)
    yield Served(league, tokens)
    league.close()


def rows(table: Mapping[str, tuple[int, ...]]) -> Iterator[tuple[str, str, int]]:
    """Yield each request with each role, and the status of the answer."""
    for request, statuses in table.items():
        for role, status in zip(ROLES, statuses, strict=True):
            yield request, role, status


@pytest.mark.parametrize("role", ROLES)
def test_a_program_gets_what_its_role_allows(served: Served, role: str) -> None:
    expected = {request: status for request, each, status in rows(API) if each == role}
    found = {
        request: served.league.request(method, path, served.tokens[role]).status_code
        for request in expected
        for method, path in [request.split()]
    }
    assert found == expected


@pytest.mark.parametrize("role", ROLES)
def test_a_browser_gets_what_its_role_allows(served: Served, role: str) -> None:
    cookies = {"arena_session": served.tokens[role]} if served.tokens[role] else {}
    header = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
    expected = {request: status for request, each, status in rows(PAGES) if each == role}
    found = {
        request: served.league.request(*request.split(), headers=header).status_code
        for request in expected
    }
    assert found == expected


def test_a_cookie_is_no_token_for_the_api(served: Served) -> None:
    header = {"Cookie": f"arena_session={served.tokens['owner']}"}
    for request in (
        "GET /api/v1/me",
        "POST /api/v1/submissions",
        "POST /api/v1/bots/kitten/retire",
    ):
        assert served.league.request(*request.split(), headers=header).status_code == 401


def test_every_endpoint_is_in_these_tables(served: Served) -> None:
    document = served.league.get("/api/v1/openapi.json").json()
    paths = {
        f"{method.upper()} {path}"
        for path, methods in document["paths"].items()
        for method in methods
    }
    listed = {
        request.partition("?")[0]
        .replace("/cup/0/", "/{event}/{number}/")
        .replace("/kitten/", "/{bot}/")
        .replace("submissions/1", "submissions/{number}")
        for request in (*API, *ENDLESS)
    }
    assert paths == listed
