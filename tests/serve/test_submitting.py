"""What is sent is looked at, counted, and put into the queue, or refused with a sentence."""

from __future__ import annotations

import zipfile
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from arena.serve.access import now
from leaderboard.authors import find_author, take_ownership
from leaderboard.store import Store
from leaderboard.uploads import ACCEPTED, add_upload, end_upload, find_upload
from tests.serve.in_process import InProcess, bot_files, zip_of


def test_a_bot_is_queued_and_its_author_sees_it(league: InProcess) -> None:
    token = league.author("ada")
    answer = league.submit(token, bot_files("kitten"))
    assert answer.status_code == 202
    assert answer.json() | {"received": ""} == {
        "id": 1,
        "bot": "kitten",
        "received": "",
        "status": "queued",
        "sentence": "",
        "version": None,
        "cpu_s": 0.0,
        "steps": [],
    }
    assert [each["id"] for each in league.get("/api/v1/submissions", token).json()] == [1]


def test_zip_files_of_other_programs_are_taken(league: InProcess) -> None:
    token = league.author("ada")
    in_folder = {f"kitten/{name}": text for name, text in bot_files("kitten").items()}
    stored = zip_of({"kitten/": "", **in_folder}, zipfile.ZIP_STORED)
    hashes = set()
    for content in (stored, zip_of(bot_files("kitten"))):
        answer = league.request("POST", "/api/v1/submissions", token, content=content)
        assert answer.status_code == 202, answer.text
        with Store.open(league.db) as store:
            upload = find_upload(store, answer.json()["id"])
        assert upload
        hashes.add(upload.hash)
    assert len(hashes) == 1


MANIFEST = bot_files("kitten")["bot.toml"]
WRONG = {
    "nothing": (b"", "File is not a zip file"),
    "nonsense": (b"PK\x03\x04" + bytes(100), "File is not a zip file"),
    "no files": (zip_of({}), "the zip file has no files"),
    "no manifest": (zip_of({"bot.py": ""}), "the zip file is not a bot: it has no bot.toml"),
    "a mistake": (zip_of({"bot.toml": "name = 3\n"}), "bot.toml, line 1: 'games' is missing"),
    "a way out": (zip_of({"bot.toml": MANIFEST, "../x": ""}), "'../x' is not a valid name"),
    "a root": (zip_of({"bot.toml": MANIFEST, "/etc/x": ""}), "is not a valid name"),
    "a bomb": (zip_of({"bot.toml": MANIFEST, "x": bytes(65 << 20)}), "too large to unpack"),
    "other games": (zip_of(bot_files("kitten", games='["trio"]')), "plays no game of this league"),
    "a house bot": (zip_of(bot_files("random")), "is the name of a house bot"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_package_is_refused_with_a_sentence(league: InProcess, what: str) -> None:
    content, sentence = WRONG[what]
    answer = league.request("POST", "/api/v1/submissions", league.author("ada"), content=content)
    assert answer.status_code == 422
    assert sentence in answer.json()["detail"]
    assert str(league.path.parent) not in answer.text


def test_a_link_in_a_zip_file_is_refused(league: InProcess, tmp_path: Path) -> None:
    path = tmp_path / "links.zip"
    with zipfile.ZipFile(path, "w") as archive:
        link = zipfile.ZipInfo("bot.toml")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    answer = league.request(
        "POST", "/api/v1/submissions", league.author("ada"), content=path.read_bytes()
    )
    assert answer.status_code == 422
    assert "is not a file" in answer.json()["detail"]


def test_nobody_submits_to_anothers_name(league: InProcess) -> None:
    ada, bob = league.author("ada"), league.author("bob")
    league.submit(ada, bot_files("kitten"))
    with Store.open(league.db) as store, store.writing_bots() as writer:
        take_ownership(writer, "kitten", find_author(writer, "ada"))
    for name in ("kitten", "Kitten"):
        answer = league.submit(bob, bot_files(name))
        assert (answer.status_code, "belongs to someone else" in answer.text) == (400, True)


def test_an_author_has_a_number_of_bots(league: InProcess) -> None:
    token = league.author("ada")
    answers = [league.submit(token, bot_files(name)) for name in ("a", "b", "c", "d")]
    assert [answer.status_code for answer in answers] == [202, 202, 202, 400]
    assert "you have a, b, c: the quota is 3 bots" in answers[-1].json()["detail"]


def test_the_answer_says_when_the_next_submission_is_allowed(league: InProcess) -> None:
    token, began = league.author("ada"), now()
    with Store.open(league.db) as store, store.writing_bots() as writer:
        ada = find_author(writer, "ada")
        for hours in range(20):
            sent = began - timedelta(hours=20 - hours)
            add_upload(writer, ada, "kitten", f"{hours}", b"", now=sent)
    answer = league.submit(token, bot_files("kitten"))
    assert answer.status_code == 429
    assert abs(int(answer.headers["Retry-After"]) - 4 * 3600) < 60
    assert "the next submission is allowed at" in answer.json()["detail"]
    assert league.get("/api/v1/me", token).json()["may_submit"] is False


def test_the_cpu_time_of_checks_is_limited(league: InProcess) -> None:
    token = league.author("ada")
    with Store.open(league.db) as store, store.writing_bots() as writer:
        number = add_upload(writer, find_author(writer, "ada"), "kitten", "0", b"", now=now())
        end_upload(writer, number, ACCEPTED, "", cpu_ms=1_200_000, now=now())
    answer = league.submit(token, bot_files("kitten"))
    assert (answer.status_code, "1200 CPU seconds" in answer.text) == (429, True)


def test_a_body_has_a_limit_whatever_its_header_says(league: InProcess) -> None:
    token = league.author("ada")
    large = bytes(5 << 20)
    stated = league.request("POST", "/api/v1/submissions", token, content=large)

    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(5):
            yield bytes(1 << 20)

    unstated = league.request("POST", "/api/v1/submissions", token, content=chunks())
    small = league.request("POST", "/login", content=bytes(100_000))
    assert [each.status_code for each in (stated, unstated, small)] == [413, 413, 413]
    assert "at most 4,160 KiB" in stated.json()["detail"]


def test_an_author_sends_only_so_many_packages_a_minute(league: InProcess) -> None:
    # Also those that are refused: reading one takes time.
    ada, grace = league.author("ada"), league.author("grace")
    statuses = [league.submit(ada, {"x": "nonsense"}).status_code for _ in range(14)]
    assert statuses == [422] * 12 + [429] * 2
    assert league.submit(grace, bot_files("kitten")).status_code == 202
