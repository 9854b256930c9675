"""Train bots/learned-meow: it begins with random weights, and learns from matches against itself.

Usage: scripts/train meow --matches 50000

The folder `training-meow` keeps a checkpoint, from which the same command continues, and the curve
of the strength against greedy-meow as `curve.svg`. At the end, and whenever it is interrupted, the
weights are written to the folder of the bot. The same seed and number of matches give the same
weights, interrupted or not.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click
from lookahead import best_cards
from network import Network

from arena.games.meow.parameters import Parameters
from training.curve import curve_svg
from training.evaluation import Strength, bot_chooser, strength
from training.learner import Learner
from training.selfplay import play

BOT = Path(__file__).parents[2] / "bots" / "learned-meow"
SEATS = (2, 3, 4, 4, 4, 5, 6)
"""Drawn for each group of matches: the bot should play at every table, and best at four seats."""
EXPERT_SHARE = 0.2
RATES = (1e-3, 3e-5)
"""How fast the network learns, at the beginning and at the end."""
CURIOSITIES = (0.1, 0.02)
"""The share of random cards, at the beginning and at the end."""


@click.command()
@click.option("--matches", default=50_000, show_default=True, help="Matches to learn from.")
@click.option("--folder", type=Path, default=Path("training-meow"), show_default=True)
@click.option("--out", type=Path, default=BOT / "weights.npz", help="Where to write the weights.")
@click.option("--seed", default=1, show_default=True, help="For the first weights and the deals.")
@click.option("--tables", default=256, show_default=True, help="Matches at once.")
@click.option("--evaluate", default=5_000, show_default=True, help="Matches between evaluations.")
@click.option(
    "--deals",
    type=click.IntRange(min=2),
    default=50,
    show_default=True,
    help="Deals of an evaluation.",
)
@click.option("--measure", is_flag=True, help="Only measure the weights, on deals of this seed.")
def main(
    matches: int,
    folder: Path,
    out: Path,
    seed: int,
    tables: int,
    evaluate: int,
    deals: int,
    *,
    measure: bool,
) -> None:
    """Train the bot, and write its weights."""
    if measure:
        if not out.exists():
            raise click.ClickException(f"{out}: no such file; train first")
        click.echo(_sentence(measured(out, deals, seed)))
        return
    folder.mkdir(parents=True, exist_ok=True)
    checkpoint = folder / "checkpoint.npz"
    learner = Learner.load(checkpoint) if checkpoint.exists() else Learner.new(seed)
    if learner.matches:
        click.echo(f"continuing after {learner.matches:,} matches", err=True)

    def evaluation() -> None:
        learner.save(checkpoint)
        learner.export(out)
        found = measured(out, deals, seed=len(learner.curve))
        learner.curve.append((learner.matches, found.mean, found.error))
        title = "learned-meow against greedy-meow"
        (folder / "curve.svg").write_text(curve_svg(learner.curve, title=title), encoding="utf-8")
        click.echo(f"\n{learner.matches:,} matches: {_sentence(found)}", err=True)

    try:
        train(learner, matches, tables, every=evaluate, measure=evaluation)
    except KeyboardInterrupt:
        click.echo("\nstopped; the same command continues", err=True)
    learner.save(checkpoint)
    learner.export(out)
    click.echo(f"wrote {out} after {learner.matches:,} matches", err=True)


def train(
    learner: Learner, matches: int, tables: int, *, every: int, measure: Callable[[], None]
) -> None:
    """Play and learn until all matches are played, those of a checkpoint included."""
    with click.progressbar(length=matches, label="training", file=sys.stderr) as bar:
        bar.update(min(learner.matches, matches))
        while learner.matches < matches:
            before = learner.matches
            teach(learner, before / matches, tables)
            bar.update(learner.matches - before)
            if learner.matches // every > before // every:
                measure()
    if not learner.curve or learner.curve[-1][0] < learner.matches:
        measure()


def teach(learner: Learner, done: float, tables: int) -> None:
    """Play one group of matches and learn from it; `done` is the share of the training so far."""
    rng = learner.rng
    lessons = play(
        learner.network,
        rng,
        tables=tables,
        seats=int(rng.choice(SEATS)),
        parameters=Parameters(expert=bool(rng.random() < EXPERT_SHARE)),
        curiosity=_between(CURIOSITIES, done),
    )
    learner.learn(lessons.rows, lessons.targets, rate=_between(RATES, done))
    learner.matches += lessons.matches


def _between(ends: tuple[float, float], done: float) -> float:
    """Go from one end to the other by equal factors: most of the way is small steps."""
    first, last = ends
    return float(first * (last / first) ** min(done, 1.0))


def measured(weights: Path, deals: int, seed: int) -> Strength:
    """Play deals against greedy-meow, the network alone: looking ahead takes time."""
    network = Network.load(weights)
    choosers = (lambda views: best_cards(network, views), bot_chooser("greedy-meow"))
    return strength(choosers, deals=deals, seed=seed)


def _sentence(found: Strength) -> str:
    share, interval = found.mean, 1.96 * found.error
    return f"ahead of greedy-meow in {share:.3f} ± {interval:.3f} of the comparisons"


if __name__ == "__main__":
    main()
