"""Events with language models: unrated, ranked among themselves, with what they cost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import arena as library
from arena.models.config import BadModel, check_own, read_model
from tests.cli.runner import arena, printed, refused
from tests.models.endpoint import Endpoint, Reply, endpoint

pytest.importorskip("httpx", reason="models are asked with httpx, which is not installed")

# Open deals: with secret ones, all bots start again for each rotation.
OPEN = ("--seed", "1", "--jobs", "1", "--quiet")
CUP = ("event", "run", "round-robin", "--game", "meow", "--seats", "3", *OPEN)
FIELD = ("--bots", "llm:scripted,random,first")


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    """Serve the model that scripted.toml in the current folder describes."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SCRIPTED_KEY", "secret-key")
    with endpoint() as served:
        (tmp_path / "scripted.toml").write_text(
            f'model = "scripted"\naddress = "{served.address}"\nkey = "SCRIPTED_KEY"\n'
            "input_price = 3.0\noutput_price = 15.0\nbackoff_s = 0.01\nretries = 1\n"
        )
        yield served


def test_an_event_with_a_model_changes_no_rating_and_has_a_leaderboard_of_its_own(
    service: Endpoint, tmp_path: Path
) -> None:
    printed(arena(*CUP, *FIELD, "--deals", "2", "--name", "talk"))
    league = library.open_league("arena.db")
    assert not league.leaderboard()
    shown = printed(arena("event", "show", "talk"))
    assert "unrated" in shown
    assert "llm:scripted@1" in shown
    document = json.loads(printed(arena("event", "show", "talk", "--json")))
    (model,) = document["models"]
    assert model["matches"] == 12
    assert model["requests"] == len(service.requests)
    assert model["tokens_in"] == 1000 * len(service.requests)
    assert model["cost"] == pytest.approx(len(service.requests) * (3.0 * 1000 + 15 * 50) / 1e6)
    board = printed(arena("leaderboard", "meow", "--models"))
    assert "llm:scripted@1" in board
    assert "├" in board
    rows = json.loads(printed(arena("leaderboard", "--models", "--json")))
    assert {row["bot"] for row in rows} == {"llm:scripted", "random", "first"}
    assert all(row["best_rank"] >= 1 for row in rows)
    printed(arena("report", "site"))
    (page,) = (tmp_path / "site" / "events").glob("talk*.html")
    assert "<h2>Language models</h2>" in page.read_text()
    # The league has the templates that were used, and never the key.
    printed(arena("verify"))
    assert b"secret-key" not in Path("arena.db").read_bytes()
    (version,) = [each for each in league.bots() if each.bot == "llm:scripted"]
    assert version.files == 5
    # All bots of the league: models are entered by name only. Search thinks until its clock is up.
    printed(arena(*CUP, "--all", "--deals", "1", "--name", "all", "--clock", "cpu:0.2+0.001"))
    assert "llm:" not in printed(arena("event", "show", "all"))
    seat = next(row["seat"] for row in league.matches("talk") if row["bot"] == "llm:scripted")
    message = refused(arena("reproduce", "talk/0", "--seat", seat))
    assert "only bots can be run again" in message


def test_a_service_that_stays_away_stops_an_event_which_is_resumed(
    service: Endpoint,
) -> None:
    respond, waiting = service.respond, [5]

    def away(body: dict[str, object]) -> Reply:
        waiting[0] -= 1
        return respond(body) if waiting[0] > 0 else Reply("come back later", status=503)

    service.respond = away
    stopped = arena(*CUP, *FIELD, "--deals", "1", "--name", "talk")
    assert stopped.exit_code == 1
    assert "llm:scripted is not available" in stopped.stderr
    service.respond = respond
    printed(arena("event", "resume", "talk", "--quiet"))
    document = json.loads(printed(arena("event", "show", "talk", "--json")))
    assert document["status"] == "finished"
    assert not document["faults"]


def test_a_league_of_someone_else_cannot_send_a_key_to_its_own_address(
    service: Endpoint, tmp_path: Path
) -> None:
    own = read_model(tmp_path / "scripted.toml")
    assert check_own(own) == own
    for foreign in (replace(own, address="http://127.0.0.1:9/v1"), replace(own, key="HOME")):
        with pytest.raises(BadModel, match="another address or key"):
            check_own(foreign)
    with pytest.raises(BadModel, match="no such model"):
        check_own(replace(own, name="unknown"))


def test_another_template_is_another_version(service: Endpoint, tmp_path: Path) -> None:
    printed(arena(*CUP, *FIELD, "--deals", "1"))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "rethink.md").write_text("Once more: {{ reason }}")
    file = tmp_path / "scripted.toml"
    file.write_text(f'{file.read_text()}prompts = "mine"\n')
    printed(arena(*CUP, *FIELD, "--deals", "1"))
    versions = [str(each) for each in library.open_league("arena.db").bots()]
    assert versions.count("llm:scripted@1") == versions.count("llm:scripted@2") == 1


def test_nobody_submits_a_bot_that_is_taken_for_a_model(service: Endpoint, tmp_path: Path) -> None:
    folder = tmp_path / "fake"
    folder.mkdir()
    (folder / "bot.toml").write_text(
        'name = "llm:scripted"\ngames = ["meow"]\ncommand = ["python", "bot.py"]\n'
    )
    (folder / "bot.py").write_text("")
    (folder / "model.toml").write_text(f'model = "m"\naddress = "{service.address}"\n')
    assert "'name'" in refused(arena("submit", "fake"))


def test_a_model_is_not_entered_without_its_key(
    service: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SCRIPTED_KEY")
    message = arena(*CUP, *FIELD, "--deals", "1")
    assert message.exit_code == 2
    assert "SCRIPTED_KEY, which is not set" in message.stderr
    assert not service.requests
