"""Can this machine run bots that nobody trusts, and what does it lack?"""

from __future__ import annotations

import json

import click

from arena.cli.machine import Finding, Verdict, for_the_cage, for_the_rest
from arena.errors import ArenaError
from arena.sandbox.cage import NoneCage
from arena.sandbox.cages import AUTO, NAMES, NoCage, cage_named

_COLOURS = {Verdict.OK: "green", Verdict.MISSING: "red", Verdict.OLD: "yellow"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Say which cage this machine can have for bots.

    It names what is missing, and how to install that. The exit code is 1 if bots that are not
    trusted cannot be run in a full cage.

    Example: arena doctor
    """
    ways = {name: _why_not(name) for name in NAMES if name not in (AUTO, NoneCage.name)}
    parts = for_the_cage()
    findings = [*parts, *for_the_rest()]
    works = [name for name, why_not in ways.items() if why_not is None]
    if works:
        # The one that bots get comes first.
        works.sort(key=lambda name: name != cage_named(AUTO).name)
    full = [name for name in works if not cage_named(name).warning]
    sentence = _sentence(works, full, parts)
    if as_json:
        document = {
            "full_cage": bool(full),
            "cage": next(iter(works), None),
            "sentence": sentence,
            "ways": ways,
            "findings": [{**each._asdict(), "verdict": each.verdict.value} for each in findings],
        }
        click.echo(json.dumps(document, indent=2))
    else:
        for name, why_not in ways.items():
            kind = "a full cage" if name in full else "a lesser cage"
            told = ("no", "bright_black", why_not) if why_not else ("ok", "green", kind)
            _tell(f"cage {name}", *told)
        for each in findings:
            detail = f"{each.detail}: {each.remedy}" if each.remedy else each.detail
            _tell(each.subject, each.verdict.value, _COLOURS[each.verdict], detail)
        click.echo(sentence)
    ctx.exit(0 if full else 1)


def _why_not(name: str) -> str | None:
    """Try a cage; return what is missing, or None if it works."""
    try:
        cage_named(name)
    except NoCage as error:
        return error.reasons[name]
    except (ArenaError, OSError) as error:
        return str(error)
    return None


def _sentence(works: list[str], full: list[str], parts: list[Finding]) -> str:
    if full:
        return f"Bots that are not trusted can be run here, in a full cage ({full[0]})."
    lesser = f"only in a lesser one ({works[0]})" if works else "nor in a lesser one"
    remedies = dict.fromkeys(part.remedy for part in parts if part.remedy)
    told = f"To have one: {' && '.join(remedies)}" if remedies else "What is missing stands above."
    return f"Bots that are not trusted cannot be run here in a full cage, {lesser}. {told}"


def _tell(subject: str, verdict: str, colour: str, detail: str) -> None:
    shown = click.style(f"{verdict:8}", fg=colour, bold=True)
    click.echo(f"{subject:18} {shown} {detail}")
