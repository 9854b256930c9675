"""The command `arena doctor`."""

from __future__ import annotations

import click

from arena.cli.terminal.output import print_json, say
from arena.errors import ArenaError
from arena.referee.players.connection import Driver, chosen_driver
from arena.sandbox.cage import Uncaged
from arena.sandbox.doctor import (
    Availability,
    Finding,
    cage_findings,
    other_findings,
    sealing_finding,
)
from arena.sandbox.select import AUTO, CAGE_NAMES, NoCage, select_cage
from arena.wire.backend import IN_USE

_COLOURS = {Availability.OK: "green", Availability.MISSING: "red", Availability.OLD: "yellow"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Show which cages this machine supports for bots.

    It also lists what is missing and how to install it. The exit code is 1 if this machine cannot
    run untrusted bots in a full cage.

    Example: arena doctor
    """
    problems = {
        name: _cage_problem(name) for name in CAGE_NAMES if name not in (AUTO, Uncaged.name)
    }
    parts = cage_findings()
    working = [name for name, problem in problems.items() if problem is None]
    if working:
        # The default cage comes first.
        working.sort(key=lambda name: name != select_cage(AUTO).name)
    sealing = sealing_finding(select_cage(AUTO) if working else None)
    findings = [*parts, sealing, *other_findings(), _grpc_driver()]
    full_cages = [name for name in working if not select_cage(name).warning]
    sentence = _sentence(working, full_cages, parts)
    if as_json:
        document = {
            "full_cage": bool(full_cages),
            "cage": next(iter(working), None),
            "sealed": sealing.verdict is Availability.OK,
            "grpc": chosen_driver().value,
            "sentence": sentence,
            "ways": problems,
            "codec": IN_USE.name,
            "findings": [{**each._asdict(), "verdict": each.verdict.value} for each in findings],
        }
        print_json(document)
    else:
        for name, problem in problems.items():
            kind = "a full cage" if name in full_cages else "a weaker cage"
            line = ("no", "bright_black", problem) if problem else ("ok", "green", kind)
            _print_line(f"cage {name}", *line)
        for each in findings:
            detail = f"{each.detail}: {each.remedy}" if each.remedy else each.detail
            _print_line(each.subject, each.verdict.value, _COLOURS[each.verdict], detail)
        say(sentence)
    ctx.exit(0 if full_cages else 1)


def _cage_problem(name: str) -> str | None:
    """Try a cage; return why it does not work, or None if it does."""
    try:
        select_cage(name)
    except NoCage as error:
        return error.reasons[name]
    except (ArenaError, OSError) as error:
        return str(error)
    return None


def _grpc_driver() -> Finding:
    if chosen_driver() is Driver.OWN:
        return Finding("gRPC", Availability.OK, "the referee uses its own driver")
    return Finding("gRPC", Availability.OK, "the referee uses grpcio, which is slower")


def _sentence(working: list[str], full_cages: list[str], parts: list[Finding]) -> str:
    if full_cages:
        return f"This machine can run untrusted bots in a full cage ({full_cages[0]})."
    weaker = f", only in a weaker one ({working[0]})" if working else " or in a weaker one"
    remedies = dict.fromkeys(part.remedy for part in parts if part.remedy)
    advice = (
        f"To fix this: {' && '.join(remedies)}" if remedies else "See above for what is missing."
    )
    return f"This machine cannot run untrusted bots in a full cage{weaker}. {advice}"


def _print_line(subject: str, verdict: str, colour: str, detail: str) -> None:
    shown = click.style(f"{verdict:8}", fg=colour, bold=True)
    say(f"{subject:18} {shown} {detail}")
