"""The command `arena reproduce`."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from arena.api.find_bots import RunnableBot, bots_on_disk, unpack_version
from arena.cli.options import number_option
from arena.cli.options.cage import cage_options, warn
from arena.cli.options.league import db_option, reading
from arena.cli.replay.stored_match import limits_of, stored_match
from arena.cli.terminal.output import say
from arena.errors import BadInput, UnknownName
from arena.games.registry import game_named, plays
from arena.indices import Seat
from arena.models.config import is_model
from arena.records import Entrant, Fault, How, Record, SeatEnding
from arena.referee.players.remote import START_LIMIT_S, RemotePlayer, ignore_output
from arena.referee.reproduce import Reproduction
from arena.referee.reproduce import reproduce as reproduce_match
from arena.replays.export import stand_in_start
from arena.replays.transcript import printed_lines
from arena.sandbox.bot_process import Launch, Process, TerminalProcess
from arena.sandbox.cage import Uncaged
from arena.sandbox.select import AUTO, choose_cage
from arena.submission.manifest import Manifest
from arena.text import plain, quantity
from arena.wire.envelope import SOCKET
from leaderboard.bots import find_version, package_of

_PRINTED_LINES = 20
"""Lines of a bot's output at one decision that are shown."""
_DAY_S = 86_400.0


@click.command()
@click.argument("word", metavar="MATCH")
@click.option(
    "--bot", "other_bot", metavar="BOT", help="Run this bot instead of the one that played."
)
@number_option("--seat", least=0, help="Seat to replay; default: the first that faulted, or 0.")
@click.option(
    "--pdb", "use_debugger", is_flag=True, help="Stop in Python's debugger; the clock is off."
)
@cage_options
@db_option
def reproduce(
    word: str,
    other_bot: str | None,
    seat: int | None,
    use_debugger: bool,
    cage: str,
    limits: dict[str, int],
    db: Path,
) -> None:
    """Rerun a stored match for one of its bots.

    It runs up to the bot's fault or to the end, and reports whether the bot behaves as it did then.
    MATCH is a replay file, or EVENT/NUMBER in the league. What the bot prints is shown with the
    decision that followed.

    The bot receives the recorded requests, whatever it answers now. With --pdb it runs uncaged on
    this terminal. The debugger stops at the start of the decision where the bot faulted, and at
    an uncaught exception.

    For --bot, name a folder with a bot.toml, a .py file, a house bot, a bot of the league (kitten
    is its newest version, kitten@2 its second), or a command line in quotes, tried in this order.

    Example: arena reproduce cup/2
    """
    record = stored_match(word, db, seat=seat).record
    if seat is None:
        seat = record.faults[0].seat if record.faults else 0
    entrant = record.entrants[seat]
    if use_debugger and cage != Uncaged.name:
        _check_debugger(cage, entrant if other_bot is None else None)
    with _bot_on_disk(other_bot, entrant, db) as (bot, lock):
        if not plays(bot.games, record.game_id):
            raise BadInput(f"{bot.name} does not play {record.game_id}")
        if use_debugger:
            launch = _debugger_launch(bot, record, seat)
            # Print its warning.
            choose_cage(Uncaged.name, warn)
        else:
            launch = choose_cage(cage, warn).launcher(bot, limits_of(word, db) | limits, lock)
        player = RemotePlayer(
            entrant,
            launch,
            start_limit_s=_DAY_S if use_debugger else START_LIMIT_S,
            on_output=ignore_output,
            prints_stack=not use_debugger,
        )
        reproduction = asyncio.run(
            reproduce_match(record, Seat(seat), player, is_timed=not use_debugger)
        )
    if use_debugger and reproduction.fault and reproduction.fault.ending is SeatEnding.CRASHED:
        say("The bot ended in the debugger.")
        return
    for line in _report_lines(record, seat, reproduction):
        say(line)


def _check_debugger(cage: str, from_league: Entrant | None) -> None:
    """Refuse to run a bot in the debugger if it should be caged, or is from the league."""
    if cage != AUTO:
        raise BadInput(
            f"--pdb needs the terminal, which a caged bot does not have: omit --cage {cage}"
        )
    if from_league:
        raise BadInput(
            f"--pdb runs {from_league.name} from the league without a cage: if you trust it, "
            "add --cage none, or name your own bot with --bot"
        )


@contextmanager
def _bot_on_disk(word: str | None, entrant: Entrant, db: Path) -> Iterator[RunnableBot]:
    """Find the bot that was named, or unpack the version that played, as the league has it."""
    if word is not None:
        with bots_on_disk([word], db) as [bot]:
            yield bot
        return
    if is_model(entrant.name):
        raise BadInput(f"{entrant.name} is a language model: only bots can be run again")
    if not entrant.version:
        raise BadInput(f"the match does not say which bot {entrant.name} was: name it with --bot")
    with reading(db) as store:
        try:
            version = find_version(store, f"{entrant.name}@{entrant.version}")
        except UnknownName as error:
            raise UnknownName(f"{error}; or name the bot with --bot") from None
        package = package_of(store, version.id)
    with unpack_version(version, package) as bot:
        yield bot


def _fault_of(record: Record, seat: int) -> Fault | None:
    return next((fault for fault in record.faults if fault.seat == seat), None)


def _debugger_launch(bot: Manifest, record: Record, seat: int) -> Launch:
    """Return a launcher that runs a bot in Python's debugger, up to its fault."""
    if not bot.runs_python or not bot.command[1:2] or not bot.command[1].endswith(".py"):
        raise BadInput(
            f"--pdb works only for Python bots, and {bot.name} is started with "
            f"{' '.join(bot.command)!r}: omit --pdb"
        )
    asked = [decision.how is How.CHOSEN for decision in record.decisions if decision.seat == seat]
    number = sum(asked) if _fault_of(record, seat) else 0
    command = [sys.executable, "-m", "arena.sdk.debugger", str(number), *bot.command[1:]]

    def launch(socket: Path, on_exit: Callable[[], None]) -> Process:
        variables = {**os.environ, **bot.environment, SOCKET: str(socket)}
        return TerminalProcess(command, folder=bot.folder, environment=variables, on_exit=on_exit)

    return launch


def _report_lines(record: Record, seat: int, reproduction: Reproduction) -> Iterator[str]:
    """Compare the recorded decisions of a bot with those it makes now."""
    text = game_named(record.game_id).action_text
    recorded, number = _fault_of(record, seat), stand_in_start(record, seat)
    who = f"{plain(record.entrants[seat].name)}, seat {seat},"
    if recorded:
        yield f"In the record, {who} faulted at decision {number}: {_fault_text(recorded)}."
    else:
        yield f"In the record, {who} played to the end."
    yield from _said_report(record, seat, reproduction)
    changed = [reply for reply in reproduction.replies if reply.now != reply.then]
    answers = len(reproduction.replies)
    same = f"{answers - len(changed)} of {answers}" if changed else f"all {answers}"
    yield f"Decisions as recorded: {same}."
    if changed:
        at, was, now = changed[0]
        yield f"Decision {at} is now {text(now)!r}; it was {text(was)!r}."
    if reproduction.instead is not None:
        instead = text(reproduction.instead)
        yield f"The fault did not recur: decision {number} is now {instead!r}."
    if reproduction.is_same_request is not None:
        same = "identical, byte for byte" if reproduction.is_same_request else "not identical"
        yield f"The request at decision {number} was {same}."
    if reproduction.fault:
        yield _fault_line(recorded, number, reproduction)
        yield from _last_lines(_not_shown_yet(reproduction.fault, reproduction))


def _said_report(record: Record, seat: int, reproduction: Reproduction) -> Iterator[str]:
    """Show what the bot prints and notes now, and what it did then if that differs."""
    for said, now, then in (
        ("printed", dict(reproduction.outputs), record.outputs),
        ("noted", _encoded(reproduction.notes), _encoded(record.notes).items()),
    ):
        own = {number: text for number, text in then if record.decisions[number].seat == seat}
        for number in sorted({*now, *own}):
            if number in now:
                yield f"At decision {number} it {said}:"
                yield from _last_lines(now[number])
            text, before = now.get(number, b""), own.get(number)
            # The record has only the beginning of much output, but all of a note.
            is_same = text == before if said == "noted" else text.startswith(before or b"")
            if before is not None and not is_same:
                yield f"In the record, it {said} at decision {number}:"
                yield from _last_lines(before)


def _encoded(notes: Iterable[tuple[int, str]]) -> dict[int, bytes]:
    return {number: text.encode() for number, text in notes}


def _not_shown_yet(fault: Fault, reproduction: Reproduction) -> bytes:
    """Return what a bot printed before its fault, without what is shown at its decisions."""
    shown = b"".join(content for _, content in reproduction.outputs)
    return fault.printed.removeprefix(shown)


def _last_lines(printed: bytes) -> list[str]:
    if not printed:
        return []
    lines = printed_lines(printed)
    left_out = len(lines) - _PRINTED_LINES
    first = [f"    ... ({quantity(left_out, 'line')} before these)"] if left_out > 0 else []
    return first + [f"    {line}" for line in lines[-_PRINTED_LINES:]]


def _fault_line(recorded: Fault | None, number: int | None, reproduction: Reproduction) -> str:
    """Say whether the fault is the recorded one."""
    assert reproduction.fault is not None
    what = _fault_text(reproduction.fault)
    if reproduction.number != number:
        return f"It faulted at decision {reproduction.number}, unlike in the record: {what}."
    is_same = recorded is not None and reproduction.fault.ending is recorded.ending
    return f"{'The fault recurred' if is_same else 'A different fault occurred'}: {what}."


def _fault_text(fault: Fault) -> str:
    return f"{fault.ending.value}, {plain(fault.sentence)}"
