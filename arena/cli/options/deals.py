"""The options that determine the deals: `--variant`, `--seed` and `--secret`."""

from __future__ import annotations

import click

from arena.cli.options import Decorator, add_options, number_option
from arena.cli.options.completion import complete_variant
from arena.cli.terminal.output import say
from arena.secret import Secret, make_secret

_OPEN = "open deals: anyone who knows the {} can compute every deal"


variant_option = click.option(
    "--variant",
    multiple=True,
    metavar="WORD",
    shell_complete=complete_variant,
    help="A variant, or a parameter as name=value; repeatable.",
)
deal_options = add_options(
    number_option(
        "--seed",
        least=0,
        help="Deal from this number, for experiments: anyone can compute the deals.",
    ),
    click.option(
        "--secret",
        metavar="HEX",
        help="Deal from the secret of an earlier run, to repeat it exactly.",
    ),
)


def secret_options(purpose: str = "") -> Decorator:
    """Add the same options to a command that gets a `Secret` from them as the argument `seed`."""

    def make(seed: int | None, secret: str | None) -> Secret:
        return make_secret(seed=seed, secret=secret, purpose=purpose)

    return add_options(deal_options, packed={"seed": make})


def deal_fields(secret: Secret) -> dict[str, str | int | None]:
    """Return the fields of a JSON document from which a run can be repeated."""
    return {"seed": secret.seed, "secret": secret.key.hex()}


def warn_if_deals_are_open(secret: Secret) -> None:
    """Print a warning if the deals can be computed by others."""
    if secret.is_open:
        what = "secret" if secret.seed is None else "seed"
        say(f"warning: {_OPEN.format(what)}", err=True)
