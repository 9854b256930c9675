"""The commands `arena event run`, `event resume` and `event extend`."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

import click

from arena.cli.event.play import announce, play_and_print
from arena.cli.group import SectionedCommand, section
from arena.cli.options import number_option
from arena.cli.options.cage import limit_option, warn
from arena.cli.options.completion import complete_bots, complete_event, complete_game
from arena.cli.options.deals import deal_options, variant_option, warn_if_deals_are_open
from arena.cli.options.league import db_option, now, writing
from arena.cli.options.workers import WorkerChoice, worker_options
from arena.cli.terminal.values import NameList
from arena.errors import BadInput, did_you_mean
from arena.sandbox.cage import Uncaged
from arena.sandbox.select import AUTO, CAGE_NAMES, choose_cage
from arena.tournament.entrants import find_field
from arena.tournament.extension import extension_of
from arena.tournament.setup import enter_event, spec_of
from arena.tournament.spec import (
    DEFAULT_CLOCK,
    DEFAULT_ERROR,
    MAX_ERROR,
    WHOLE_ORDER,
    Kind,
    Spec,
    check_spec,
    secret_for,
)
from arena.tournament.spec_files import read_spec
from leaderboard.events import Event, all_events, find_event
from leaderboard.store import Reader

_bots_option = partial(
    click.option, type=NameList(), metavar="NAME,...", shell_complete=complete_bots
)
# The event says which numbers fit its game and its kind.
_count = partial(number_option, least=-inf)
_KINDS = tuple(Kind)


@click.command(cls=SectionedCommand)
@click.argument("what", metavar="round-robin|swiss|ladder|gauntlet|FILE")
@section(
    "Who plays what",
    click.option("--game", metavar="GAME", shell_complete=complete_game, help="The game to play."),
    variant_option,
    _bots_option(
        "--bots",
        help="Bots that play, by name or version (kitten@2); in a gauntlet, the challengers.",
    ),
    click.option("--all", "all_bots", is_flag=True, help="Enter all bots that play the game."),
    _bots_option(
        "--against",
        help="For a gauntlet: the challengers' opponents; default: all others that play the game.",
    ),
    click.option(
        "--teams",
        type=NameList(),
        metavar="NAME+NAME,...",
        help="Instead of --bots, in a variant with teams: partners that stay together.",
    ),
    click.option(
        "--keep-authors-apart",
        is_flag=True,
        default=None,
        help="Never seat two bots of the same author at one table.",
    ),
    click.option("--name", help="Name of the event."),
)
@section(
    "How much is played",
    _count(
        "--seats",
        help="Players at every table; bots without a seat rest in turn. Default: 4 or the nearest "
        "size the game allows, or one more or less if fewer bots rest that way.",
    ),
    _count(
        "--deals",
        help="Deals for each pairing, each played in every rotation of the seats.",
    ),
    _count("--rounds", help="Number of rounds; default: as many as the field needs."),
    _count(
        "--matches",
        help="Unless it is a Swiss event: the fewest pairings that reach this many matches.",
    ),
    click.option(
        "--for",
        "duration",
        metavar="TIME",
        help="For a ladder: begin no round after this time, such as 90m or 2h.",
    ),
    number_option(
        "--until-sure",
        is_flag=False,
        flag_value=WHOLE_ORDER,
        least=0,
        metavar="[TOP]",
        help="End when the first TOP places are known; without TOP, when the whole order is.",
    ),
    number_option(
        "--error",
        least=0,
        most=MAX_ERROR,
        whole=False,
        above=True,
        help=f"Maximum probability that --until-sure is wrong; default {DEFAULT_ERROR}.",
    ),
)
@section(
    "Conditions",
    click.option(
        "--clock",
        metavar="[cpu:]BANK+INC",
        help=f"Thinking time of each seat, in seconds; default {DEFAULT_CLOCK}.",
    ),
    click.option(
        "--cage", type=click.Choice(CAGE_NAMES), help=f"Sandbox for bots; default {AUTO}."
    ),
    limit_option,
    click.option("--freeze", is_flag=True, default=None, help="Suspend bots while others think."),
    click.option(
        "--unrated",
        is_flag=True,
        default=None,
        help="Change no rating and no strength of the league.",
    ),
    deal_options,
)
@section("Workers", worker_options)
@db_option
def run(
    what: str,
    bots: tuple[str, ...] | None,
    all_bots: bool,
    limits: dict[str, int],
    workers: WorkerChoice,
    db: Path,
    **settings: Any,
) -> None:
    """Run an event described by options or by a TOML file.

    Options override the file. You can stop an event at any time and continue it with
    `arena event resume`.

    A ladder pairs each round from the strengths so far. Bots that are submitted while it runs come
    in, and retired ones go. It has all bots that play the game, unless --bots names some, and ends
    when the order is known, unless it is limited.

    In a gauntlet, --bots are challengers: each table has one of them and the others of --against.

    Example: arena event run round-robin --game meow --bots kitten,first,random --name cup
    """
    if bots and all_bots:
        raise BadInput("use either --bots or --all, not both")
    options = {key: value for key, value in settings.items() if value not in (None, ())}
    if bots or all_bots:
        options["bots"] = bots or ()
    spec = _base_spec(what, options)
    if "seed" in options or "secret" in options:
        spec = replace(spec, seed=None, secret=None)
    spec = check_spec(replace(spec, **options, limits=spec.limits | limits))
    if not db.exists():
        # A mistake here must not leave an empty league.
        find_field(spec, None)
    choose_cage(spec.cage, warn)
    workers = workers.or_at(spec.workers)
    # A cluster that cannot be used leaves no event behind.
    with workers.cluster(cage=spec.cage) as cluster, writing(db) as writer:
        entered = enter_event(writer, spec, now=now())
        warn_if_deals_are_open(secret_for(spec))
        announce(writer, entered)
        play_and_print(writer, entered, workers, cluster)


def _base_spec(what: str, options: dict[str, Any]) -> Spec:
    """Return the spec that the options modify: the default for a kind, or the content of a file."""
    if what in _KINDS:
        if "game" not in options:
            raise BadInput("missing option --game")
        if not options.keys() & {"bots", "teams"} and what != Kind.LADDER.value:
            raise BadInput("missing option --bots (or --all for all bots that play the game)")
        return Spec(Kind(what), options["game"])
    if what.endswith(".toml") or os.path.exists(what):
        return read_spec(Path(what))
    hint = did_you_mean(what, _KINDS)
    raise BadInput(f"{what!r} is neither an event kind nor a file: {hint}")


@click.command()
@click.argument("name", required=False, shell_complete=complete_event)
@click.option(
    "--cage",
    type=click.Choice((Uncaged.name,)),
    help="Required for an event without a cage: confirms that its bots may run uncaged.",
)
@worker_options
@db_option
def resume(
    name: str | None,
    cage: str | None,
    workers: WorkerChoice,
    db: Path,
) -> None:
    """Resume an interrupted event.

    Without NAME, resume the latest one.

    Example: arena event resume
    """
    with writing(db, create=False) as writer:
        stopped = _find_unfinished(writer, name)
        _check_trust(stopped, cage)
        cage_name = spec_of(stopped).cage
        choose_cage(cage_name, warn)
        with workers.cluster(cage=cage_name) as cluster:
            play_and_print(writer, stopped, workers, cluster)


def _check_trust(event: Event, cage: str | None) -> None:
    """Require consent to run bots uncaged: the league file may come from someone else."""
    is_uncaged = spec_of(event).cage == Uncaged.name
    if is_uncaged and cage is None:
        raise BadInput(
            f"{event.name} runs without a cage: its bots can read, change and send anything that "
            "you can. If you trust all of them, add --cage none"
        )
    if cage is not None and not is_uncaged:
        raise BadInput(f"{event.name} runs in a cage: omit --cage {cage}")


def _find_unfinished(reader: Reader, name: str | None) -> Event:
    if name:
        found = find_event(reader, name)
        if found.status == "finished":
            raise BadInput(f"{name} is finished: there is nothing to resume")
        return found
    stopped = [each for each in all_events(reader) if each.status != "finished"]
    if not stopped:
        raise BadInput("there is no interrupted event to resume")
    return stopped[-1]


@click.command()
@click.argument("name", shell_complete=complete_event)
@_bots_option("--bots", help="Bots to add, by name or version.")
@number_option("--deals", help="Further deals for each pairing; default: as many as the event had.")
@worker_options
@db_option
def extend(
    name: str,
    bots: tuple[str, ...] | None,
    deals: int | None,
    workers: WorkerChoice,
    db: Path,
) -> None:
    """Play more deals, or add bots, in an event that is over.

    The secret of such an event is known, so the further matches are a separate event with a
    new secret, NAME-2. It has the same settings and field, and its standings count the matches of
    both. With late bots, they are ranked by strength.

    Example: arena event extend cup --deals 1
    """
    if bots is None and deals is None:
        raise BadInput("say what to add: --bots, --deals or both")
    with writing(db, create=False) as writer:
        spec = extension_of(writer, find_event(writer, name), bots=bots or (), deals=deals)
        choose_cage(spec.cage, warn)
        with workers.cluster(cage=spec.cage) as cluster:
            entered = enter_event(writer, spec, now=now())
            announce(writer, entered)
            play_and_print(writer, entered, workers, cluster)
