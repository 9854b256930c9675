"""Replays: matches that were played, to look at, save and read again."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.errors import BadInput, BadReplay
from arena.games.registry import game_named
from arena.records import Fault, Record, events_of
from arena.replays.export import document
from arena.replays.format import read_replay as decode
from arena.replays.format import write_replay as encode
from arena.replays.transcript import full_names, match_title, player_names, result_text, transcript
from arena.replays.verify import verify
from arena.text import plain

if TYPE_CHECKING:
    from arena.analysis.assessment import Analysis

_FILE_LIMIT = 64 << 20
"""No replay is larger: the evidence in it is limited, and so is the length of a match."""
_FRAME = (
    '<iframe sandbox="allow-scripts" style="width:100%;height:44rem;border:1px solid #8888" '
    'title="{title}" srcdoc="{page}"></iframe>'
)


class Replay:
    """A match that was played. A notebook shows its page, where one can step through it."""

    def __init__(self, record: Record) -> None:
        """Show a record, which is not verified."""
        self.record = record

    @property
    def game(self) -> str:
        """The id of the game."""
        return self.record.game_id

    @property
    def players(self) -> list[str]:
        """The names of the players, seat by seat, as are all that follow."""
        return full_names(self.record)

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each player, 1 for the first; players that faulted are last."""
        return self.record.places

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each player."""
        return self.record.outcome.scores

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults of bots, each with a sentence, as they happened."""
        return self.record.faults

    def narrate(self) -> list[str]:
        """Describe all public events, a sentence for each."""
        game, names = game_named(self.game), player_names(self.record)
        return [game.narrate(event, names) for event in events_of(self.record)]

    def transcript(self, *, hidden: bool = False) -> str:
        """Write the match with all decisions and times; with `hidden`, also with hidden cards."""
        return "\n".join(transcript(self.record, hidden=hidden))

    def document(self) -> dict[str, Any]:
        """Return everything about the match as plain values, as `arena replay export` does."""
        return document(self.record)

    def page(self, *, seat: int | None = None, analysis: Analysis | None = None) -> str:
        """Return an HTML page to step through the match; with `seat`, only with what it knew."""
        # Imported here: few who play a match look at its page.
        from arena.pages.replay_page import replay_page

        return replay_page(self.record, seat=seat, analysis=analysis)

    def save(self, path: str | Path) -> None:
        """Write the replay to a file, from which `read_replay` reads it."""
        try:
            Path(path).write_bytes(encode(self.record))
        except OSError as error:
            raise BadInput(f"cannot write {path}: {error.strerror}") from None

    def __repr__(self) -> str:
        """Name the game and the players, best first."""
        order = sorted(zip(self.places, self.players, self.scores, strict=True))
        results = ", ".join(f"{place}. {name} ({score})" for place, name, score in order)
        return f"<Replay of {game_named(self.game).title}: {results}>"

    def __str__(self) -> str:
        """Return the result as a table, with its explanation."""
        return result_text(self.record).strip()

    def _repr_html_(self) -> str:
        title = match_title(game_named(self.game), self.record)
        return _FRAME.format(title=escape(title), page=escape(self.page()))


class StoredReplay(NamedTuple):
    """A replay that is not verified yet, with its name for messages."""

    name: str
    """The file, or EVENT/NUMBER."""
    number: int | None
    """The number of the match in its event; None for a file."""
    data: bytes
    unreadable: str = ""
    """Why the file cannot be read; empty if it can."""

    def decode(self) -> Record:
        """Decode it without verifying it."""
        if self.unreadable:
            raise BadReplay(self.unreadable)
        return decode(self.data)

    def verified(self) -> Replay:
        """Decode and verify it: a forged match cannot be shown or exported."""
        try:
            record = self.decode()
            if complaints := verify(record):
                raise BadReplay(f"it does not follow the rules: {plain(complaints[0])}")
        except BadReplay as error:
            raise BadReplay(f"{self.name}: {error}") from None
        return Replay(record)


def read_replay(path: str | Path) -> Replay:
    """Read a file, and check that it is intact and follows the rules."""
    return read_file(path).verified()


def read_file(path: str | Path) -> StoredReplay:
    """Read a file that may be a replay."""
    name = str(path)
    try:
        with Path(path).open("rb") as file:
            data = file.read(_FILE_LIMIT + 1)
    except OSError as error:
        return StoredReplay(name, None, b"", f"cannot read it: {error.strerror}")
    if len(data) > _FILE_LIMIT:
        too_large = f"it has more than {_FILE_LIMIT} bytes, too many for a replay"
        return StoredReplay(name, None, b"", too_large)
    return StoredReplay(name, None, data)
