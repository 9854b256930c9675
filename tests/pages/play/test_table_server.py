"""The server of a table answers those who know a seat's address, and nobody else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from threading import Thread
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from arena.games.registry import game_named
from arena.indices import Seat
from arena.pages.play.seats import BrowserTable
from arena.pages.play.server import serve_table
from arena.records import How, SeatEnding
from arena.referee.clock import Clock
from arena.referee.mailbox import Mailbox
from arena.referee.model import Breakage
from arena.referee.players.local import LocalPlayer, random_chooser
from tests.pages.play.tables import (
    HttpPerson,
    Reply,
    ServedTable,
    decide,
    request,
    served_table,
    short_setting,
)
from tests.pages.replays import Elements


@pytest.fixture(scope="module")
def served() -> Iterator[ServedTable]:
    """Serve a match of MEOW with two people, which waits for the first of them for ever."""
    with served_table(short_setting("meow"), [0, 2], seed=1) as served:
        HttpPerson(served.addresses[0]).update()
        yield served


def turn_of(served: ServedTable) -> tuple[str, int, list[int]]:
    """Return the address of the seat to act, the number of its turn, and its legal actions."""
    for address in served.addresses.values():
        turn = HttpPerson(address).update()["turn"]
        if turn:
            return address, turn["number"], [each["action"] for each in turn["choices"]]
    raise AssertionError("nobody is to act")


def test_every_seat_has_a_secret_address_of_its_own(served: ServedTable) -> None:
    tokens = [urlsplit(address).path.strip("/") for address in served.addresses.values()]
    assert len(set(tokens)) == 2
    assert all(len(token) == 43 for token in tokens)
    pages = [request(address).body.decode() for address in served.addresses.values()]
    for page, seat in zip(pages, served.addresses, strict=True):
        data, _ = Elements(page).texts["script"]
        assert json.loads(data)["viewpoint"] == seat
        assert not [token for token in tokens if token in page]


@pytest.mark.parametrize("path", ["", "x/", "../", "%2e%2e/", "x/updates", "favicon.ico", "//"])
def test_without_a_token_there_is_nothing(served: ServedTable, path: str) -> None:
    address = served.addresses[0]
    base = f"http://{urlsplit(address).netloc}/"
    for reply in (request(base, path), decide(base + path, 1, 1)):
        assert reply.status == 404
        assert reply.body.startswith(b"There is nothing here.")


@pytest.mark.parametrize("change", [lambda t: t[:-1], lambda t: t + "x", str.swapcase])
def test_a_token_is_right_as_a_whole_or_wrong(served: ServedTable, change: object) -> None:
    assert callable(change)
    address = served.addresses[0]
    token = urlsplit(address).path.strip("/")
    for path in ("/", "/updates", "/move", "/replay"):
        assert request(address.replace(token, change(token)).rstrip("/"), path).status == 404


def test_a_page_has_a_strict_policy_and_is_not_kept(served: ServedTable) -> None:
    for path in ("", "updates"):
        headers = request(served.addresses[0], path).headers
        assert headers["Cache-Control"] == "no-store"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    policy = request(served.addresses[0]).headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "frame-ancestors 'none'" in policy
    assert "connect-src 'self'" in policy
    assert "unsafe" not in policy


def test_another_host_name_is_refused(served: ServedTable) -> None:
    assert request(served.addresses[0], headers={"Host": "evil.example"}).status == 421


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
    ],
)
def test_the_page_of_another_site_cannot_decide(
    served: ServedTable, headers: dict[str, str]
) -> None:
    address, number, actions = turn_of(served)
    reply = decide(address, number, actions[0], **headers)
    assert (reply.status, reply.body) == (403, b"Only the page of the seat may decide.")
    assert turn_of(served) == (address, number, actions)


@hypothesis_settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.binary(min_size=1, max_size=40)
    | st.sampled_from(
        [
            b"[" * 1000,
            b'{"turn": 1}',
            b'{"turn": "1", "action": 2}',
            b'{"turn": true, "action": true}',
            b'{"turn": 1, "action": 1.5}',
            b"null",
        ]
    )
)
def test_nonsense_is_not_a_decision(served: ServedTable, body: bytes) -> None:
    before = turn_of(served)
    reply = request(before[0], "move", method="POST", body=body)
    assert reply.status == 400
    assert reply.body.startswith(b"A decision is ")
    assert turn_of(served) == before


def test_a_body_of_any_other_size_is_not_read(served: ServedTable) -> None:
    for length in ("100000000000", "-1", "x", ""):
        headers = {"Content-Length": length}
        reply = request(served.addresses[0], "move", method="POST", body=b"{}", headers=headers)
        assert (reply.status, reply.body) == (400, b"A decision is a small JSON object.")


@pytest.mark.parametrize("query", ["match=x", "frames=1e9", "version=", "match=1&frames=-1"])
def test_nonsense_in_a_query_is_harmless(served: ServedTable, query: str) -> None:
    assert request(served.addresses[0], f"updates?{query}").status in (200, 400)


def refusal(reply: Reply) -> str:
    """Return the sentence of a refused decision."""
    assert reply.status == 409
    return reply.body.decode()


def test_illegal_and_stale_decisions_get_a_sentence(served: ServedTable) -> None:
    address, number, actions = turn_of(served)
    (other,) = set(served.addresses.values()) - {address}
    for action in (53 - actions[0], -1, 10**30):
        if action not in actions:
            assert refusal(decide(address, number, action)).startswith("Illegal move: seat ")
    assert refusal(decide(address, number + 1, actions[0])) == "It is not your turn."
    assert refusal(decide(other, 99, actions[0])) == "It is not your turn."
    assert turn_of(served) == (address, number, actions)


def test_two_pages_of_one_seat_see_the_same_and_decide_once() -> None:
    with served_table(short_setting("meow"), [0], seed=1) as served:
        pages = [HttpPerson(served.addresses[0]) for _ in range(2)]
        one, other = [page.update() for page in pages]
        assert one == other
        number, action = one["turn"]["number"], one["turn"]["choices"][0]["action"]
        assert decide(pages[0].address, number, action).status == 200
        assert refusal(decide(pages[1].address, number, action)).startswith("That decision")
        # A page that is opened now gets the whole match so far.
        late = HttpPerson(served.addresses[0])
        while not (update := pages[1].update())["turn"]:
            pass
        assert len(late.update()["frames"]) == sum(len(u["frames"]) for u in pages[1].updates)
        assert update["turn"]["number"] == number + 1


def test_a_waiting_page_hears_of_a_change_at_once_and_of_the_end_of_the_table() -> None:
    with served_table(short_setting("meow"), [0], seed=1) as served:
        person = HttpPerson(served.addresses[0])
        while not person.update()["turn"]:
            pass
        feed = served.table.feeds[Seat(0)]
        assert served.table.idle_s() > 0
        waiting = Thread(target=person.update)
        waiting.start()
        while not feed.waiting:
            waiting.join(0.01)
        # The page is open as long as it waits, which may be for long.
        assert served.table.idle_s() == 0
    waiting.join()
    assert person.updates[-1]["closed"] == "The table is closed."
    assert person.updates[-1]["turn"] is None


def test_the_result_the_replay_and_the_way_to_play_again_come_at_the_end() -> None:
    with served_table(short_setting("trio"), [0, 1, 2], seed=1) as served:
        people = [HttpPerson(address, seat) for seat, address in served.addresses.items()]
        assert request(served.addresses[0], "replay").status == 404
        threads = [Thread(target=person.play) for person in people]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        (record,) = served.records
        for person in people:
            result = person.updates[-1]["result"]
            assert tuple(result["places"]) == record.places
            assert tuple(result["scores"]) == record.outcome.scores
            assert (result["saved"], result["command"]) == ("here.replay", "arena play")
            replay = request(person.address, "replay")
            assert replay.status == 200
            assert record.seed.hex() in replay.body.decode()
            assert refusal(decide(person.address, 1, 1)) == "The match is over."
    # People think for a while: their times are measured.
    assert all(d.time_us > 0 for d in record.decisions if d.how is How.CHOSEN)


def test_a_person_whose_time_is_up_loses_and_a_stand_in_plays_on() -> None:
    clock = Clock(0.05)
    with served_table(short_setting("meow"), [0], seed=1, clock=clock) as served:
        person = HttpPerson(served.addresses[0])
        while not (update := person.update())["result"]:
            pass
    assert "Your time is up" in update["notice"]
    (record,) = served.records
    assert record.ending_of(0) is SeatEnding.OVERRUN
    assert record.places[0] == 3
    assert "0.1 s" in record.faults[0].sentence


class BreaksOnce(LocalPlayer):
    """A random player whose first process is lost to a failure of the machine."""

    is_broken = False

    async def play(self, mailbox: Mailbox) -> Breakage:
        """Break as soon as the match has begun, but only once."""
        if not BreaksOnce.is_broken:
            BreaksOnce.is_broken = True
            mailbox.take_all()
            return Breakage(SeatEnding.CRASHED, "the machine stopped", is_machine_fault=True)
        return await super().play(mailbox)


def test_a_match_that_is_dealt_again_starts_anew_on_the_page() -> None:
    setting = short_setting("meow")
    with served_table(
        setting, [0], seed=1, opponent=lambda entrant: BreaksOnce(entrant, random_chooser)
    ) as served:
        person = HttpPerson(served.addresses[0])
        person.play()
    assert BreaksOnce.is_broken
    assert person.updates[-1]["match"] == 2
    assert person.updates[-1]["result"]
    assert len(served.records) == 1


def test_other_machines_get_an_address_in_digits() -> None:
    game = game_named("meow")
    table = BrowserTable(game, game.default_parameters, ["Ann", "Bob"], [Seat(0)])
    with serve_table(table, 0, host="0.0.0.0") as (address,):
        assert "0.0.0.0" not in address
        assert request(address).status == 200


def test_a_game_without_a_drawing_is_shown_in_its_notation() -> None:
    class Strange(type(game_named("meow"))):  # type: ignore[misc]
        id = "strange"

    table = BrowserTable(Strange(), Strange().default_parameters, ["Ann", "Bob"], [Seat(0)])
    with serve_table(table, 0) as (address,):
        assert "positions are shown in its notation" in request(address).body.decode()
