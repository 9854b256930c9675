"""Authors of a served league: tokens are shown once, names belong to one person."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from arena.errors import BadInput, UnknownName
from leaderboard.authors import (
    ORGANISER,
    accept_invitation,
    add_author,
    author_with_token,
    bots_of,
    check_owner,
    end_token,
    find_author,
    invite,
    is_open,
    make_session,
    rename_author,
    replace_tokens,
    revoke_author,
    take_ownership,
)
from leaderboard.bots import all_versions
from leaderboard.store import Store, Writer
from leaderboard.uploads import REFUSED, add_upload, end_upload, next_upload
from tests.builders.leagues import NOON, open_league, submit_named

LATER = NOON + timedelta(days=3)


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Writer]:
    """Open a league with the bot `ann`, which has no owner."""
    with open_league(tmp_path, ("ann",)) as writer:
        yield writer


def name_of(writer: Writer, token: str) -> str | None:
    """Return the name of a token's author."""
    author = author_with_token(writer, token, now=NOON)
    return author.name if author else None


def test_a_token_is_its_authors_and_the_file_has_only_its_hash(
    writer: Writer, tmp_path: Path
) -> None:
    token = add_author(writer, "ada", role=ORGANISER, now=NOON)
    author = author_with_token(writer, token, now=NOON)
    assert author
    assert (author.name, author.is_organiser) == ("ada", True)
    assert len(token) > 43
    for file in tmp_path.glob("arena.db*"):
        assert token.rpartition("_")[2].encode() not in file.read_bytes()


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "x",
        "arena_1_",
        "arena_1",
        "arena_2_{}",
        "arena_-1_{}",
        "arena_1_{}x",
        "{}",
        "arena_²_{}",
    ],
)
def test_a_token_is_right_as_a_whole_or_wrong(writer: Writer, wrong: str) -> None:
    token = add_author(writer, "ada", now=NOON)
    assert name_of(writer, wrong.format(token.split("_", 2)[2])) is None


def test_a_revoked_author_gets_in_with_a_new_token_only(writer: Writer) -> None:
    token = add_author(writer, "ada", now=NOON)
    revoke_author(writer, "ADA", now=NOON)
    assert name_of(writer, token) is None
    new = replace_tokens(writer, "ada", now=NOON)
    assert [name_of(writer, each) for each in (token, new)] == [None, "ada"]


def test_a_session_ends_at_its_time_or_when_it_is_ended(writer: Writer) -> None:
    add_author(writer, "ada", now=NOON)
    ada = find_author(writer, "ada")
    sessions = [make_session(writer, ada, now=NOON, expires=LATER) for _ in range(2)]
    end_token(writer, sessions[0], now=NOON)
    assert [name_of(writer, each) for each in sessions] == [None, "ada"]
    assert author_with_token(writer, sessions[1], now=LATER) is None


def test_a_name_is_taken_once_whatever_the_case_of_its_letters(writer: Writer) -> None:
    add_author(writer, "Ada", now=NOON)
    with pytest.raises(BadInput, match="there is already an author ada"):
        add_author(writer, "ada", now=NOON)
    add_author(writer, "bob", now=NOON)
    with pytest.raises(BadInput, match="already"):
        rename_author(writer, "bob", "ADA")
    with pytest.raises(BadInput, match="everyone can see"):
        add_author(writer, "a\x1b[2J", now=NOON)
    with pytest.raises(UnknownName, match="did you mean bob"):
        rename_author(writer, "bobb", "carl")


def test_an_invitation_makes_one_author(writer: Writer) -> None:
    code = invite(writer, now=NOON, days=1)
    token = accept_invitation(writer, code, "ada", now=NOON)
    assert name_of(writer, token) == "ada"
    with pytest.raises(BadInput, match="has been used or has expired"):
        accept_invitation(writer, code, "bob", now=NOON)
    late = invite(writer, now=NOON, days=1)
    assert [is_open(writer, late, now=moment) for moment in (NOON, LATER)] == [True, False]


def test_an_invitation_is_not_used_up_by_a_name_that_is_taken(writer: Writer) -> None:
    add_author(writer, "ada", now=NOON)
    code = invite(writer, now=NOON, days=1)
    with pytest.raises(BadInput, match="already"):
        accept_invitation(writer, code, "ada", now=NOON)
    accept_invitation(writer, code, "bob", now=NOON)


def test_a_bot_belongs_to_one_author_who_is_its_author_from_then_on(
    writer: Writer, tmp_path: Path
) -> None:
    for name in ("ada", "bob"):
        add_author(writer, name, now=NOON)
    ada, bob = find_author(writer, "ada"), find_author(writer, "bob")
    take_ownership(writer, "kitten", ada)
    submit_named(writer, tmp_path, "kitten")
    check_owner(writer, "kitten", ada)
    for name in ("kitten", "KITTEN", "ann"):
        with pytest.raises(BadInput, match="belongs to someone else"):
            check_owner(writer, name, bob)
    with pytest.raises(BadInput, match="your bot is called kitten, not Kitten"):
        check_owner(writer, "Kitten", ada)
    assert bots_of(writer, ada.id) == ["kitten"]
    rename_author(writer, "ada", "countess")
    assert {each.bot: each.author for each in all_versions(writer)} == {
        "ann": "",
        "kitten": "countess",
    }


def test_authors_are_added_while_an_event_is_written(tmp_path: Path) -> None:
    with open_league(tmp_path, ()), Store.open(tmp_path / "arena.db") as store:
        with store.writing_bots() as beside:
            token = add_author(beside, "ada", now=NOON)
        assert author_with_token(store, token, now=NOON)


def test_versions_of_a_bot_are_made_in_the_order_in_which_they_were_sent(writer: Writer) -> None:
    add_author(writer, "ada", now=NOON)
    ada = find_author(writer, "ada")
    for digest, bot in (("1", "kitten"), ("2", "Kitten"), ("3", "mouse")):
        add_upload(writer, ada, bot, digest, b"", now=NOON)
    first = next_upload(writer)
    assert first
    second = next_upload(writer, [first.id])
    assert second
    # The corrected kitten waits until the one before has been checked.
    assert (first.bot, second.bot) == ("kitten", "mouse")
    assert next_upload(writer, [first.id, second.id]) is None


def test_authors_take_turns_in_the_queue(writer: Writer) -> None:
    for name in ("ada", "bob"):
        add_author(writer, name, now=NOON)
    for name, bot in (("ada", "a1"), ("ada", "a2"), ("bob", "b1"), ("ada", "a3"), ("bob", "b2")):
        add_upload(writer, find_author(writer, name), bot, bot, b"", now=NOON)
    first = next_upload(writer)
    assert first
    second = next_upload(writer, [first.id])
    assert second
    assert (first.bot, second.bot) == ("a1", "b1")
    checked = []
    while upload := next_upload(writer):
        checked.append(upload.bot)
        # Bob's bots think for long.
        cpu_ms = 9000 if upload.bot[0] == "b" else 10
        end_upload(writer, upload.id, REFUSED, "", cpu_ms=cpu_ms, now=NOON)
    assert checked == ["a1", "b1", "a2", "a3", "b2"]
