"""Authors of a served league: their tokens, their bots, and invitations.

A token and the code of an invitation are shown once; the file has only their hashes. They are 32
random bytes, so a fast hash protects them as well as a slow one would.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import compare_digest
from typing import NamedTuple

from arena.errors import BadInput, UnknownName, did_you_mean
from arena.submission.manifest import is_text_for_people, rule_for
from arena.tomlfile import short_repr
from leaderboard.file.journal import insert, record, update
from leaderboard.store import BotsWriter, Reader, timestamp

AUTHOR, ORGANISER = "author", "organiser"
ROLES = (AUTHOR, ORGANISER)
_PREFIX = "arena"


class LeagueAuthor(NamedTuple):
    """Someone who may submit bots."""

    id: int
    name: str
    role: str
    added: str
    revoked: str | None
    """Since when they may not submit; their bots play on."""

    @property
    def is_organiser(self) -> bool:
        """Whether they may see and do what only the organiser may."""
        return self.role == ORGANISER


def all_authors(reader: Reader) -> list[LeagueAuthor]:
    """Return all authors, by name."""
    rows = reader.rows("SELECT id, name, role, added, revoked FROM authors ORDER BY name")
    return [LeagueAuthor(*row) for row in rows]


def find_author(reader: Reader, name: str) -> LeagueAuthor:
    """Return the author of this name."""
    authors = {author.name.casefold(): author for author in all_authors(reader)}
    found = authors.get(name.casefold())
    if not found:
        names = [author.name for author in authors.values()]
        hint = did_you_mean(name, names) if names else "add one with `arena author add`"
        raise UnknownName(f"no such author: {name!r}; {hint}")
    return found


def add_author(writer: BotsWriter, name: str, *, role: str = AUTHOR, now: datetime) -> str:
    """Add an author and return their token."""
    with writer.transaction():
        return _make_token(writer, _insert_author(writer, name, role, now), now)


def _insert_author(writer: BotsWriter, name: str, role: str, now: datetime) -> int:
    _check_free(writer, name)
    number = _next_id(writer, "authors")
    row = {"id": number, "name": name, "role": role, "added": timestamp(now), "revoked": None}
    insert(writer, "authors", [row])
    return number


def _check_free(reader: Reader, name: str) -> None:
    if not is_text_for_people(name, "author"):
        raise BadInput(f"the name is {short_repr(name)}: it must be {rule_for('author')}")
    if name.casefold() in {author.name.casefold() for author in all_authors(reader)}:
        raise BadInput(f"there is already an author {name}: choose another name")


def rename_author(writer: BotsWriter, name: str, new: str) -> None:
    """Give an author another name; their bots and tokens stay theirs."""
    with writer.transaction():
        author = find_author(writer, name)
        if new.casefold() != author.name.casefold():
            _check_free(writer, new)
        update(writer, "authors", {"id": author.id}, {"name": new})


def revoke_author(writer: BotsWriter, name: str, *, now: datetime) -> None:
    """End all tokens of an author, who cannot submit any more; their bots play on."""
    with writer.transaction():
        author = find_author(writer, name)
        update(writer, "authors", {"id": author.id}, {"revoked": timestamp(now)})
        _end_tokens(writer, author.id, now)


def replace_tokens(writer: BotsWriter, name: str, *, now: datetime) -> str:
    """End all tokens of an author and return a new one; a revoked author may submit again."""
    with writer.transaction():
        author = find_author(writer, name)
        update(writer, "authors", {"id": author.id}, {"revoked": None})
        _end_tokens(writer, author.id, now)
        return _make_token(writer, author.id, now)


def make_session(
    writer: BotsWriter, author: LeagueAuthor, *, now: datetime, expires: datetime
) -> str:
    """Return another token of an author, for a browser."""
    with writer.transaction():
        return _make_token(writer, author.id, now, expires)


def end_token(writer: BotsWriter, token: str, *, now: datetime) -> None:
    """End one token."""
    number, _ = _split(token)
    with writer.transaction():
        if _author_with(writer, token, timestamp(now)):
            update(writer, "tokens", {"id": number}, {"revoked": timestamp(now)})


def author_with_token(reader: Reader, token: str, *, now: datetime) -> LeagueAuthor | None:
    """Return the author whom a valid token belongs to."""
    return _author_with(reader, token, timestamp(now))


def _author_with(reader: Reader, token: str, now: str) -> LeagueAuthor | None:
    number, digest = _split(token)
    row = reader.row(
        """
        SELECT hash, authors.id, name, role, added, authors.revoked
        FROM tokens JOIN authors ON authors.id = tokens.author
        WHERE tokens.id = ? AND tokens.revoked IS NULL AND authors.revoked IS NULL
            AND (expires IS NULL OR expires > ?)
        """,
        [number, now],
    )
    return LeagueAuthor(*row[1:]) if row and compare_digest(row[0], digest) else None


def _make_token(
    writer: BotsWriter, author: int, now: datetime, expires: datetime | None = None
) -> str:
    number, (token, digest) = _new_secret(writer, "tokens")
    row = {
        "id": number,
        "author": author,
        "hash": digest,
        "made": timestamp(now),
        "expires": timestamp(expires) if expires else None,
        "revoked": None,
    }
    insert(writer, "tokens", [row])
    return token


def _end_tokens(writer: BotsWriter, author: int, now: datetime) -> None:
    rows = writer.rows("SELECT id FROM tokens WHERE author = ? AND revoked IS NULL", [author])
    for (number,) in list(rows):
        update(writer, "tokens", {"id": number}, {"revoked": timestamp(now)})


def invite(writer: BotsWriter, *, now: datetime, days: int) -> str:
    """Return a code with which someone can become an author, once, within this many days."""
    expires = now + timedelta(days=days)
    with writer.transaction():
        number, (code, digest) = _new_secret(writer, "invitations")
        row = {"id": number, "hash": digest, "made": timestamp(now), "author": None}
        insert(writer, "invitations", [row | {"expires": timestamp(expires)}])
    return code


def is_open(reader: Reader, code: str, *, now: datetime) -> bool:
    """Return whether someone can still become an author with this code."""
    number, digest = _split(code)
    row = reader.row(
        "SELECT hash FROM invitations WHERE id = ? AND author IS NULL AND expires > ?",
        [number, timestamp(now)],
    )
    return row is not None and compare_digest(row[0], digest)


def accept_invitation(writer: BotsWriter, code: str, name: str, *, now: datetime) -> str:
    """Add an author who was invited, and return their token."""
    with writer.transaction():
        if not is_open(writer, code, now=now):
            raise BadInput("this invitation has been used or has expired: ask for another one")
        author = _insert_author(writer, name, AUTHOR, now)
        update(writer, "invitations", {"id": _split(code)[0]}, {"author": author})
        return _make_token(writer, author, now)


def owner_of(reader: Reader, bot: str) -> int | None:
    """Return the id of the author to whom a bot belongs; None if it has no owner."""
    row = reader.row(
        "SELECT author FROM owners JOIN bots ON bots.id = owners.bot WHERE name = ?", [bot]
    )
    return row[0] if row else None


def bots_of(reader: Reader, author: int) -> list[str]:
    """Return the names of an author's bots."""
    rows = reader.rows(
        "SELECT name FROM owners JOIN bots ON bots.id = owners.bot WHERE author = ? ORDER BY name",
        [author],
    )
    return [name for (name,) in rows]


def check_owner(reader: Reader, bot: str, author: LeagueAuthor) -> None:
    """Raise an error if an author may not submit to this name.

    A name that differs only in the case of its letters would be mistaken for the other one.
    """
    row = reader.row(
        """
        SELECT name, owners.author FROM bots LEFT JOIN owners ON owners.bot = bots.id
        WHERE name = ? COLLATE NOCASE
        """,
        [bot],
    )
    if row and row[1] != author.id:
        raise BadInput(f"{row[0]} belongs to someone else: choose another name in bot.toml")
    if row and row[0] != bot:
        raise BadInput(f"your bot is called {row[0]}, not {bot}: change the name in bot.toml")


def take_ownership(writer: BotsWriter, bot: str, author: LeagueAuthor) -> None:
    """Give a name to an author, before the first version of the bot is submitted."""
    with writer.transaction():
        check_owner(writer, bot, author)
        if owner_of(writer, bot) is None:
            writer.write("INSERT INTO bots (name) VALUES (?)", [bot])
            ((number,),) = writer.rows("SELECT id FROM bots WHERE name = ?", [bot])
            record(writer, "bots", {"id": number})
            insert(writer, "owners", [{"bot": number, "author": author.id}])


def _new_secret(writer: BotsWriter, table: str) -> tuple[int, tuple[str, str]]:
    """Return the next id of a table, and a new secret for it with its hash."""
    number = _next_id(writer, table)
    secret = f"{_PREFIX}_{number}_{secrets.token_urlsafe(32)}"
    return number, (secret, _hash(secret))


def _split(secret: str) -> tuple[int, str]:
    """Return the id in a token or a code, -1 if there is none, and the hash of the whole."""
    prefix, _, rest = secret.partition("_")
    number = rest.partition("_")[0]
    is_number = prefix == _PREFIX and number.isascii() and number.isdecimal() and len(number) < 16
    return int(number) if is_number else -1, _hash(secret)


def _hash(secret: str) -> str:
    return sha256(secret.encode(errors="replace")).hexdigest()


def _next_id(reader: Reader, table: str) -> int:
    ((number,),) = reader.rows(f"SELECT coalesce(max(id), 0) + 1 FROM {table}")
    return int(number)
