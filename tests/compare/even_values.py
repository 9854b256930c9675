"""Ways to draw values between -1 and 1 whose mean is zero, most of them nasty."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

Draw = Callable[[Random], float]

EVEN: dict[str, Draw] = {
    "all or nothing": lambda rng: rng.choice((-1, 1)),
    "sums of places": lambda rng: sum(rng.randint(-4, 4) for _ in range(3)) / 12,
    "mostly zero": lambda rng: rng.choice((-0.5, 0.5, *[0] * 18)),
    "rarely far above": lambda rng: 1.0 if rng.random() < 1 / 21 else -0.05,
    "rarely far below": lambda rng: -1.0 if rng.random() < 1 / 21 else 0.05,
    "no two alike": lambda rng: rng.random() ** 2 - 1 / 3,
    "little spread, rarely far below": lambda rng: (
        -1.0 if rng.random() < 1 / 13 else rng.uniform(0.0, 1 / 6)
    ),
    "wide or narrow": lambda rng: rng.choice((0.01, 0.01, 0.01, 1.0)) * rng.choice((-1, 1)),
    "one large loss for two gains": lambda rng: rng.choice((-1, 0.5, 0.5)),
}
