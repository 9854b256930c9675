"""How does an author see again what a bot did in a stored match?"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click

from arena.cli.caging import caging_options, working_cage
from arena.cli.db import db_option, reading
from arena.cli.matches import check_seat, stored_match
from arena.errors import BadInput, UnknownName
from arena.games.registry import game_named
from arena.house import bot_meant
from arena.manifest import Manifest, read_manifest
from arena.records import Entrant, Fault, How, Record, SeatEnding
from arena.referee.again import Repetition, play_again
from arena.referee.players.remote import START_LIMIT_S, RemotePlayer
from arena.replays.export import out_since
from arena.replays.story import plain
from arena.sandbox.cage import NoneCage
from arena.sandbox.cages import AUTO
from arena.sandbox.locks import Lock
from arena.sandbox.places import fresh
from arena.sandbox.process import Launch, Process
from arena.sandbox.terminal import TerminalProcess
from arena.wire.messages import SOCKET
from leaderboard.bots import find_version, package_of
from leaderboard.packing import unpack

_LAST_LINES = 20
"""How much of what a faulty bot printed is shown."""
_A_DAY_S = 86_400.0


@click.command()
@click.argument("word", metavar="MATCH")
@click.option("--bot", "other", metavar="BOT", help="Ask this bot, not the one that played then.")
@click.option(
    "--seat",
    type=click.IntRange(min=0),
    help="Whose part it plays; by default the seat that faulted first, or else 0.",
)
@click.option("--pdb", "debugs", is_flag=True, help="Stop in Python's debugger, without a clock.")
@caging_options
@db_option
def reproduce(
    word: str,
    other: str | None,
    seat: int | None,
    debugs: bool,
    cage_name: str,
    limits: dict[str, int],
    db: Path,
) -> None:
    """Play a stored match again for one of its bots.

    It goes up to the bot's fault or to the end, and says whether the bot does the same. MATCH is a
    replay file, or EVENT/NUMBER in the league.

    The bot gets the requests that it got then, whatever it answers now. With --pdb it runs on this
    terminal, uncaged, and stops where it begins to decide what it faulted at, and where it fails.

    Example: arena reproduce cup/2
    """
    if debugs and cage_name not in (AUTO, NoneCage.name):
        raise BadInput(f"--pdb needs the terminal, which no cage has: leave out --cage {cage_name}")
    record, limits_then = stored_match(word, db)
    check_seat(word, record, seat)
    seat = _seat(record) if seat is None else seat
    entrant = record.entrants[seat]
    with ExitStack() as stack:
        lock = None
        if other is None:
            if debugs and cage_name != NoneCage.name:
                raise BadInput(
                    f"--pdb runs {entrant.name} of the league without a cage: if you trust it, say "
                    "so with --cage none, or name a folder of your own with --bot"
                )
            bot, lock = stack.enter_context(_submitted(entrant, db))
        else:
            bot = bot_meant(other)
        if record.game_id not in bot.games:
            raise BadInput(f"{bot.name} does not play {record.game_id}")
        if debugs:
            launch = _debugging(bot, record, seat)
            # For its warning.
            working_cage(NoneCage.name)
        else:
            launch = working_cage(cage_name).launcher(bot, limits_then | limits, lock)
        player = RemotePlayer(entrant, launch, start_limit_s=_A_DAY_S if debugs else START_LIMIT_S)
        again = asyncio.run(play_again(record, seat, player, is_timed=not debugs))
    if debugs and again.fault and again.fault.ending is SeatEnding.CRASHED:
        click.echo("The bot has ended in the debugger.")
        return
    for line in _told(record, seat, again):
        click.echo(line)


@contextmanager
def _submitted(entrant: Entrant, db: Path) -> Iterator[tuple[Manifest, Lock | None]]:
    """Unpack the version that played, as the league has it."""
    if not entrant.version:
        raise BadInput(f"the match does not say which bot {entrant.name} was: name it with --bot")
    with reading(db) as store:
        try:
            version = find_version(store, f"{entrant.name}@{entrant.version}")
        except UnknownName as error:
            raise UnknownName(f"{error}; or name the bot with --bot") from None
        package = package_of(store, version.id)
    with fresh() as folder:
        unpack(package, folder / "bot", expected=version.hash)
        yield read_manifest(folder / "bot"), Lock.read(version.lock) if version.lock else None


def _seat(record: Record) -> int:
    return record.faults[0].seat if record.faults else 0


def _fault(record: Record, seat: int) -> Fault | None:
    return next((fault for fault in record.faults if fault.seat == seat), None)


def _debugging(bot: Manifest, record: Record, seat: int) -> Launch:
    """Return what starts a bot under Python's debugger, to stop where it faulted, or at once."""
    if not bot.runs_python or not bot.command[1:2] or not bot.command[1].endswith(".py"):
        raise BadInput(
            f"--pdb is Python's debugger, and {bot.name} is started with "
            f"{' '.join(bot.command)!r}: leave it out, and look at what the bot prints"
        )
    asked = [decision.how is How.CHOSEN for decision in record.decisions if decision.seat == seat]
    number = sum(asked) if _fault(record, seat) else 0
    command = [sys.executable, "-m", "arena.sdk.debugger", str(number), *bot.command[1:]]

    def launch(socket: Path, on_exit: Callable[[], None]) -> Process:
        variables = {**os.environ, **bot.environment, SOCKET: str(socket)}
        return TerminalProcess(command, folder=bot.folder, environment=variables, on_exit=on_exit)

    return launch


def _told(record: Record, seat: int, again: Repetition) -> Iterator[str]:
    """Tell what a bot did then, and what it does now."""
    text = game_named(record.game_id).action_text
    then, number = _fault(record, seat), out_since(record, seat)
    who = f"{plain(record.entrants[seat].name)}, seat {seat},"
    if then:
        yield f"In the record {who} faulted at decision {number}: {_what(then)}."
    else:
        yield f"In the record {who} played to the end."
    changed = [reply for reply in again.replies if reply.now != reply.then]
    answers = len(again.replies)
    same = f"{answers - len(changed)} of {answers}" if changed else f"all {answers}"
    yield f"Answers as recorded: {same}."
    if changed:
        at, was, now = changed[0]
        yield f"Decision {at} is now {text(now)!r}; it was {text(was)!r}."
    if again.instead is not None:
        yield f"The fault did not come again: decision {number} is now {text(again.instead)!r}."
    if again.is_same_request is not None:
        same = "the same, byte for byte" if again.is_same_request else "not the same to the byte"
        yield f"The request at decision {number} was {same}."
    if again.fault:
        yield _came(then, number, again)
        printed = again.fault.stderr.decode(errors="replace").splitlines()[-_LAST_LINES:]
        yield from (f"    {plain(line)}" for line in printed)


def _came(then: Fault | None, number: int | None, again: Repetition) -> str:
    """Say whether a fault is the recorded one."""
    assert again.fault is not None
    what = _what(again.fault)
    if again.number != number:
        return f"It faulted at decision {again.number}, where it had not: {what}."
    is_same = then is not None and again.fault.ending is then.ending
    return f"{'The fault came again' if is_same else 'Another fault came in its place'}: {what}."


def _what(fault: Fault) -> str:
    return f"{fault.ending.value}, {plain(fault.sentence)}"
