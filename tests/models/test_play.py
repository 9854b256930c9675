"""Language models play: over real HTTP, against a server that behaves as their endpoints do."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import arena
from arena.cli import main
from arena.errors import PlatformError
from arena.games.registry import GAME_IDS
from arena.models.config import BadModel, read_model
from arena.models.player import AskOptions, ModelSeat
from arena.records import How, SeatEnding
from tests.models.endpoint import Endpoint, Reply, Respond, endpoint, first_move, legal_moves

pytest.importorskip("httpx", reason="models are asked with httpx, which is not installed")

Describe = Callable[..., Path]


@pytest.fixture(scope="module")
def service() -> Iterator[Endpoint]:
    """Serve one model for all tests."""
    with endpoint() as served:
        yield served


@pytest.fixture
def describe(service: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Describe:
    """Return what writes scripted.toml in the current folder, with more keys."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    service.requests.clear()

    def write(respond: Respond = first_move, **keys: object) -> Path:
        service.respond = respond
        values = {"model": "scripted", "address": service.address, "backoff_s": 0.01, **keys}
        path = tmp_path / "scripted.toml"
        path.write_text("".join(f"{key} = {json.dumps(each)}\n" for key, each in values.items()))
        return path

    return write


def in_turn(*replies: Reply) -> Respond:
    """Give these replies first, then play the first move."""
    waiting = list(replies)
    return lambda body: waiting.pop(0) if waiting else first_move(body)


def a_move(body: dict[str, Any], **changes: Any) -> Reply:
    reply = first_move(body)
    return Reply(reply.text, **changes)


def play(game: str = "meow", seed: int = 7) -> arena.Replay:
    return arena.play_match(game, ["llm:scripted", "random", "random"], seed=seed)


@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=[pytest.mark.slow] * (game != "meow")) for game in GAME_IDS],
)
def test_a_model_plays_every_game_and_its_notes_are_in_the_replay(
    game: str, describe: Describe
) -> None:
    describe()
    replay = play(game)
    assert not replay.faults
    assert replay.players[0].startswith("llm:scripted-0@")
    chosen = [d for d in replay.record.decisions if d.seat == 0 and d.how is How.CHOSEN]
    assert len(replay.record.notes) == len(chosen) > 0
    assert replay.record.notes[0].text == "the first of my moves"
    assert replay.document()["models"][0]["requests"] == len(chosen)
    assert all(decision.time_us > 0 for decision in chosen)


def test_a_streamed_answer_is_read_as_one_that_comes_as_a_whole(describe: Describe) -> None:
    describe()
    whole = play()
    describe(stream=True)
    streamed = play()
    assert streamed.record.decisions[0].action == whole.record.decisions[0].action
    assert [d.action for d in streamed.record.decisions] == [
        d.action for d in whole.record.decisions
    ]
    assert streamed.record.usage[0] == whole.record.usage[0]


def test_the_prompt_has_the_rules_once_the_table_and_the_legal_moves(
    describe: Describe, service: Endpoint
) -> None:
    describe(history=2)
    play()
    first, second, *_, last = service.requests
    assert [m["role"] for m in first["messages"]] == ["system", "user"]
    assert "You play MEOW at a table of 3" in first["messages"][0]["content"]
    assert [m["role"] for m in second["messages"]] == ["system", "user", "assistant", "user"]
    assert "Since your last decision:\n- " in second["messages"][-1]["content"]
    assert "seat 0 you" in second["messages"][-1]["content"]
    assert "llm:" not in json.dumps(last)
    assert len(last["messages"]) == 2 + 2 * 2


def test_legal_moves_may_be_hidden(describe: Describe, service: Endpoint) -> None:
    describe(in_turn(Reply('{"move": "G99"}')), legal="hidden", rethinks=0)
    play()
    assert not legal_moves(service.requests[0])


NO_MOVE = Reply("I would rather talk about the weather.")
FAULTS = {
    "unparsable": (in_turn(NO_MOVE, NO_MOVE), SeatEnding.NONSENSE, 'no JSON object with a "move"'),
    "no such move": (
        in_turn(Reply('{"move": "Q7"}'), Reply('{"move": "Q7"}')),
        SeatEnding.NONSENSE,
        "'Q7' is not a move of MEOW",
    ),
    "not text": (in_turn(*[Reply('{"move": [1]}')] * 2), SeatEnding.NONSENSE, "its move is '[1]'"),
    "refusal": (
        in_turn(Reply("", refusal="I do not gamble.")),
        SeatEnding.NONSENSE,
        "it refused to answer: I do not gamble.",
    ),
    "filtered": (
        in_turn(Reply("", finish="content_filter")),
        SeatEnding.NONSENSE,
        "it refused to answer: it ended with content_filter",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_a_model_does_wrong_is_a_fault_with_its_answer(name: str, describe: Describe) -> None:
    respond, ending, words = FAULTS[name]
    describe(respond)
    replay = play()
    (fault,) = replay.faults
    assert (fault.seat, fault.ending) == (0, ending)
    assert words in fault.sentence
    assert b"Your legal moves" in fault.request
    assert any(decision.how is How.STAND_IN for decision in replay.record.decisions)


def illegal(body: dict[str, Any]) -> Reply:
    """Play a card that is not in the hand."""
    cards = {f"{colour}{rank}" for colour in "PBG" for rank in range(1, 19)}
    return Reply(json.dumps({"move": min(cards - set(legal_moves(body)))}))


def test_an_illegal_move_is_sent_back_once_with_the_reason_and_then_loses(
    describe: Describe, service: Endpoint
) -> None:
    describe(illegal)
    (fault,) = play().faults
    assert fault.ending is SeatEnding.ILLEGAL_ACTION
    assert b'"move"' in fault.reply
    assert "the card is not in its hand" in service.requests[1]["messages"][-1]["content"]
    assert len(service.requests) == 2


def test_a_rethink_that_names_a_legal_move_saves_the_match(describe: Describe) -> None:
    describe(in_turn(NO_MOVE))
    replay = play()
    assert not replay.faults
    use = replay.record.usage[0].service
    assert use is not None
    assert use.rethinks == 1
    assert use.requests == 1 + len(replay.record.notes)


def test_no_answer_in_time_loses_the_match(describe: Describe) -> None:
    describe(lambda body: a_move(body, delay_s=1.0), timeout_s=0.2)
    (fault,) = play().faults
    assert (fault.ending, fault.sentence) == (
        SeatEnding.OVERRUN,
        "llm:scripted: no answer within 0.2 s",
    )


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({"match_tokens": 3000}, "its budget is used up: 3,150 of 3,000 tokens"),
        ({"match_cost": 0.01, "input_price": 10.0}, "its budget is used up: 0.0100 of 0.0100"),
    ],
)
def test_a_budget_that_is_used_up_ends_the_match_for_the_model(
    keys: dict[str, object], sentence: str, describe: Describe
) -> None:
    describe(**keys)
    (fault,) = play().faults
    assert (fault.ending, fault.sentence) == (SeatEnding.OVER_LIMIT, f"llm:scripted: {sentence}")


TROUBLE = {
    "rate limit": Reply("slow down", status=429, headers={"retry-after": "0.01"}),
    "server error": Reply("oops", status=500),
    "garbage": Reply(raw=b"<html>It works!</html>"),
    "no choices": Reply(raw=b'{"choices": []}'),
    "truncated": Reply('{"move": "P1"}', breaks_off=True),
}


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("name", TROUBLE)
def test_what_goes_wrong_at_the_service_is_tried_again_and_blames_nobody(
    name: str, stream: bool, describe: Describe
) -> None:
    describe(in_turn(TROUBLE[name], TROUBLE[name]), stream=stream)
    replay = play()
    assert not replay.faults
    assert replay.document()["models"][0]["retries"] == 2


@pytest.mark.parametrize("name", TROUBLE)
def test_a_service_that_stays_away_stops_the_match_with_a_sentence(
    name: str, describe: Describe
) -> None:
    describe(lambda body: TROUBLE[name], retries=2)
    with pytest.raises(PlatformError, match=r"llm:scripted is not available: .*tried 3 times"):
        play()


def test_a_service_that_nobody_runs_stops_the_match(describe: Describe) -> None:
    describe(address="http://127.0.0.1:9/v1", retries=0)
    with pytest.raises(PlatformError, match="not available: ConnectError"):
        play()


def test_a_wrong_key_is_said_and_not_tried_again(
    describe: Describe, service: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCRIPTED_KEY", "abc")
    describe(in_turn(Reply("no such key", status=401)), key="SCRIPTED_KEY")
    with pytest.raises(PlatformError, match=r"no such key.*is the key in SCRIPTED_KEY right"):
        play()
    assert "Bearer abc" in service.keys
    assert len(service.requests) == 1
    monkeypatch.delenv("SCRIPTED_KEY")
    with pytest.raises(BadModel, match="SCRIPTED_KEY, which is not set"):
        play()


def test_many_matches_are_asked_at_once_and_each_has_its_own_conversation(
    describe: Describe, service: Endpoint
) -> None:
    describe(history=100)
    replays = arena.play_matches("meow", ["llm:scripted", "random"], 4, seed=1)
    assert not any(replay.faults for replay in replays)
    openings = {body["messages"][1]["content"] for body in service.requests}
    assert len(openings) == 4


def test_a_run_is_repeated_from_kept_answers_without_asking(
    describe: Describe, service: Endpoint, tmp_path: Path
) -> None:
    describe(match_tokens=20_000)
    command = ["play", "meow", "llm:scripted", "random", "random", "--seed", "3"]
    first = CliRunner().invoke(main, [*command, "--save", "first.replay"])
    assert first.exit_code == 0, first.output
    assert f"{len(service.requests)} requests" in first.output
    asked = len(service.requests)
    again = CliRunner().invoke(main, [*command, "--save", "again.replay", "--replay-answers"])
    assert again.exit_code == 0, again.output
    assert len(service.requests) == asked
    moves = [
        [each.action for each in arena.read_replay(tmp_path / name).record.decisions]
        for name in ("first.replay", "again.replay")
    ]
    assert moves[0] == moves[1]


def test_conversations_are_written_on_request(describe: Describe, tmp_path: Path) -> None:
    describe()
    command = ["play", "meow", "llm:scripted", "random", "--conversations", "talk"]
    assert CliRunner().invoke(main, command).exit_code == 0
    (path,) = (tmp_path / "talk").iterdir()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert path.name == "0000-seat-0.jsonl"
    assert "You play MEOW" in lines[0]["messages"][0]["content"]
    assert '"move"' in lines[0]["answer"]["text"]


def test_templates_of_ones_own_shape_the_prompt_and_the_version(
    describe: Describe, service: Endpoint, tmp_path: Path
) -> None:
    usual = read_model(describe())
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "turn.md").write_text(
        "View:\n{{ view }}\nYour legal moves: {{ legal[0] }}"
    )
    own = read_model(describe(prompts="mine"))
    assert own.hash != usual.hash
    replay = arena.play_match("meow", [ModelSeat(own, AskOptions()), "random"], seed=1)
    assert replay.players[0] == f"llm:scripted-0@{own.hash[:8]}"
    assert service.requests[0]["messages"][-1]["content"].startswith("View:\nparameters: ")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "'model' is missing"),
        ('model = "m"', "'address' is missing"),
        ('model = "m"\naddress = "example"', "must be an address"),
        ('model = "m"\naddress = "http://x/v1"\nlegal = "all"', 'line 3.*"listed" or "hidden"'),
        ('model = "m"\naddress = "http://x/v1"\nrethink = 2', "did you mean rethinks"),
        ('model = "m"\naddress = "http://x/v1"\nprompts = "gone"', "not a folder"),
        ("model = ", "invalid TOML"),
    ],
)
def test_a_mistake_in_the_file_is_named_with_its_line(
    text: str, words: str, tmp_path: Path
) -> None:
    (tmp_path / "m.toml").write_text(text)
    with pytest.raises(BadModel, match=words):
        read_model(tmp_path / "m.toml")


def test_a_model_that_nobody_has_described_is_named(describe: Describe) -> None:
    result = CliRunner().invoke(main, ["play", "meow", "llm:nobody", "random"])
    assert result.exit_code == 2
    assert "no such model: 'llm:nobody'; there is no nobody.toml here" in result.output


def test_a_template_that_fails_is_named(describe: Describe, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "turn.md").write_text("{{ 1 / 0 }}")
    describe(prompts="mine")
    with pytest.raises(BadModel, match=r"the template turn\.md fails: division by zero"):
        play()
