"""Write a whole match as text, as every seat sees it.

`scripts/playthroughs` writes the files in tests/playthroughs with this module; a change of rules
shows there as a change of text.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from arena.games.conformance import Setting
from arena.games.outcome import outcome_form
from arena.games.randomness import seed_from
from arena.games.registry import all_games, game_named

FOLDER = Path(__file__).parents[1] / "playthroughs"

# For each game and variant: a few seats, and a seed whose match is short but shows a lot. Other
# parameters shorten those that would repeat themselves.
MATCHES = {
    "trio simple": (3, 774, ""),
    "trio spicy": (3, 565, ""),
    "trio simple-teams": (4, 1173, ""),
    "trio spicy-teams": (4, 1396, ""),
    "jackal standard": (3, 53, "round_cap=4"),
    "meow standard": (
        3,
        0,
        "rounds=2 tokens=1,2,3,-1,-2,-3,fish,fish,vase,5,6,7,-5,-6,-8,fish,vase,vase",
    ),
    "meow expert": (2, 0, ""),
    "lifeislife standard": (3, 419, ""),
    "lifeislife expert": (3, 178, "expert=yes turn_cap=6"),
}


def variants() -> list[str]:
    """List every game with each of its variants."""
    return [f"{game.id} {variant}" for game in all_games() for variant in game.variants]


def path_of(name: str) -> Path:
    """Return the file of a game's variant."""
    return FOLDER / f"{name.replace(' ', '-')}.txt"


def playthrough(name: str) -> str:
    """Write a random match of a game's variant."""
    game_id, variant = name.split()
    game = game_named(game_id)
    seats, seed, text = MATCHES[name]
    parameters = game.parameters_form.read(text) if text else game.variants[variant]
    setting = Setting(game, seats, variant, parameters)
    return "\n".join(_lines(setting, seed)) + "\n"


def _lines(setting: Setting, seed: int) -> Iterator[str]:
    game = setting.game
    rng = Random(seed)
    state = game.start(setting.seats, seed_from(seed), setting.parameters, recording=True)
    yield f"{setting}, seed {seed}, random players"
    yield "Each decision begins with every seat's view. Lines that are alike for all seats stand"
    yield "under `all`; a line that has not changed since the decision before is left out."
    shown: dict[str, dict[str, str]] = {}
    written = 0
    number = 0
    while True:
        yield "== the end" if state.is_over else f"== decision {number}"
        for event in state.events[written:]:
            yield f"* {game.event_form.show(event)}"
        written = len(state.events)
        views = [
            dict(_fields(game.view_form.show(game.view_of(state, seat))))
            for seat in range(setting.seats)
        ]
        yield from _changes(views, shown)
        if state.is_over:
            break
        actions = state.legal_actions()
        some = [game.action_text(action) for action in actions[:12]]
        more = f" and {len(actions) - 12} more" if len(actions) > 12 else ""
        action = state.random_action(rng)
        does = game.action_text(action)
        yield f"seat {state.to_act} does: {does}; it may: {', '.join(some)}{more}"
        state.apply(action)
        number += 1
    yield outcome_form.show(state.outcome())


def _changes(views: list[dict[str, str]], shown: dict[str, dict[str, str]]) -> Iterator[str]:
    """Write what has changed in the views since `shown`, and update `shown`."""
    for key in views[0]:
        values = {f"seat {seat}": view[key] for seat, view in enumerate(views)}
        if len(set(values.values())) == 1:
            values = {"all": values["seat 0"]}
        for who, value in values.items():
            if shown.get(key, {}).get(who) != value:
                yield f"{who:6} {key}: {value}"
        shown[key] = values


def _fields(text: str) -> Iterator[tuple[str, str]]:
    for line in text.split("\n"):
        key, _, value = line.partition(": ")
        yield key, value


if __name__ == "__main__":
    for each in variants():
        path_of(each).write_text(playthrough(each), encoding="utf-8")
        print(path_of(each).name)
