"""Forms in the browser: joining, signing in, submitting; other sites cannot send them."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest

from leaderboard.authors import invite
from leaderboard.store import Store
from tests.builders.leagues import NOON
from tests.serve.in_process import ADDRESS, InProcess, bot_files, zip_of


def invitation(league: InProcess) -> str:
    """Return the path of a new invitation."""
    with Store.open(league.db) as store, store.writing_bots() as writer:
        return f"/join/{invite(writer, now=NOON, days=10_000)}"


def code_in(page: str) -> str:
    """Return the code in a page's form."""
    found = re.search(r'name="code" value="(\w+)"', page)
    assert found
    return found[1]


def test_an_invitation_gives_a_name_a_token_and_a_session(league: InProcess) -> None:
    path = invitation(league)
    assert "Choose the name" in league.get(path).text
    joined = league.form(path, data={"name": "Ada <b>"})
    assert joined.status_code == 200
    assert "Ada &lt;b&gt;" in joined.text
    (token,) = re.findall(r"arena_\d+_[\w-]{43}", joined.text)
    assert league.get("/api/v1/me", token).json()["name"] == "Ada <b>"
    cookie = joined.headers["set-cookie"]
    assert token not in cookie
    assert re.search(r"HttpOnly; Max-Age=2592000; Path=/; SameSite=lax$", cookie)
    # The client keeps the cookie, as a browser does.
    assert "Submit a bot" in league.get("/me").text
    assert league.form(path, data={"name": "bob"}).status_code == 400


def test_a_cookie_is_for_tls_alone_if_the_league_has_it(tmp_path: Path) -> None:
    change = ('address = "http://127.0.0.1:8000"', 'address = "https://127.0.0.1"')
    with closing(InProcess(tmp_path, change)) as league:
        joined = league.form(invitation(league), data={"name": "ada"})
        assert joined.headers["set-cookie"].endswith("SameSite=lax; Secure")
        assert joined.headers["strict-transport-security"] == "max-age=31536000"


def test_a_zip_file_is_submitted_with_the_code_of_the_session(league: InProcess) -> None:
    league.form(invitation(league), data={"name": "ada"})
    code = code_in(league.get("/me").text)
    package = {"package": ("kitten.zip", zip_of(bot_files("kitten")))}
    for wrong in ("", "0" * 64):
        assert league.form("/submit", data={"code": wrong}, files=package).status_code in (400, 403)
    sent = league.form("/submit", data={"code": code}, files=package)
    assert (sent.status_code, sent.headers["location"]) == (303, "/submissions/1")
    assert "queued" in league.get("/submissions/1").text


def test_a_folder_is_submitted_with_the_paths_of_its_files(league: InProcess) -> None:
    league.form(invitation(league), data={"name": "ada"})
    code = code_in(league.get("/me").text)
    files = [("files", (name, text)) for name, text in bot_files("kitten").items()]
    paths = [f"kitten/{name}" for name in bot_files("kitten")]
    sent = league.form("/submit", data={"code": code, "paths": paths}, files=files)
    assert sent.headers.get("location") == "/submissions/1", sent.text
    outside = league.form(
        "/submit", data={"code": code, "paths": ["../bot.toml", "x"]}, files=files
    )
    assert (outside.status_code, "is not a valid name" in outside.text) == (422, True)


FOREIGN = {
    "another site": {"Origin": "https://evil.example"},
    "a frame": {"Origin": "null"},
    "no origin": {},
    "a lie that the browser notices": {"Origin": ADDRESS, "Sec-Fetch-Site": "cross-site"},
}


@pytest.mark.parametrize("origin", FOREIGN)
def test_the_page_of_another_site_cannot_send_a_form(league: InProcess, origin: str) -> None:
    path = invitation(league)
    league.form(path, data={"name": "ada"})
    code = code_in(league.get("/me").text)
    forms = {"/login": {"token": "x"}, "/logout": {"code": code}, "/submit": {"code": code}}
    for address, data in ({path: {"name": "bob"}} | forms).items():
        answer = league.request("POST", address, headers=FOREIGN[origin], data=data)
        assert (address, answer.status_code) == (address, 403)
    assert "Submit a bot" in league.get("/me").text


def test_a_form_may_come_through_a_proxy_that_leaves_out_the_port(league: InProcess) -> None:
    headers = {"Origin": ADDRESS, "Host": "127.0.0.1"}
    answer = league.request("POST", "/login", headers=headers, data={"token": "x"})
    assert answer.status_code == 401


def test_a_token_signs_in_and_signing_out_ends_the_session(league: InProcess) -> None:
    token = league.author("ada")
    assert league.form("/login", data={"token": "arena_1_x"}).status_code == 401
    signed_in = league.form("/login", data={"token": f" {token}\n"})
    assert signed_in.headers["location"] == "/me"
    session = {"Cookie": signed_in.headers["set-cookie"].partition(";")[0]}
    page = league.get("/me", headers=session)
    assert league.form("/logout", data={"code": code_in(page.text)}).status_code == 303
    assert league.get("/me", headers=session).status_code == 303
    assert league.get("/api/v1/me", token).status_code == 200


def test_every_answer_has_strict_headers(league: InProcess) -> None:
    for path in ("/", "/nothing", "/api/v1/league", "/api/v1/nothing", "/static/live.js"):
        headers = league.get(path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; style-src 'self'; script-src 'self';")
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert "access-control-allow-origin" not in headers
        assert "server" not in headers


def test_another_host_name_is_refused(league: InProcess) -> None:
    answer = league.get("/api/v1/league", headers={"Host": "evil.example"})
    assert answer.status_code == 400


def test_a_static_file_is_in_a_folder_of_such_files(league: InProcess) -> None:
    for name in ("live.js", "site.css"):
        assert league.get(f"/static/{name}").status_code == 200
    outside = (
        "..%2fapp.py",
        "%2e%2e/app.py",
        "..%5capp.py",
        "%2fetc%2fpasswd",
        "app.py",
        "",
        "x%00",
    )
    for name in outside:
        assert league.get(f"/static/{name}").status_code == 404


def test_an_address_that_asks_too_often_waits(tmp_path: Path) -> None:
    with closing(
        InProcess(tmp_path, ("requests_per_minute = 300", "requests_per_minute = 1"))
    ) as league:
        statuses = [league.get("/login").status_code for _ in range(12)]
        assert statuses == [200] * 10 + [429] * 2
        assert int(league.get("/login").headers["retry-after"]) in range(1, 8)


def test_a_token_that_asks_too_often_waits(tmp_path: Path) -> None:
    with closing(
        InProcess(tmp_path, ("requests_per_minute = 300", "requests_per_minute = 2"))
    ) as league:
        tokens = [league.author(name) for name in ("ada", "bob")]
        statuses = [league.get("/api/v1/me", tokens[0]).status_code for _ in range(3)]
        assert statuses == [200, 200, 429]
        assert league.get("/api/v1/me", tokens[1]).status_code == 200
