"""What tokens are worth to a seat, and what its points are worth: a share of its opponents.

What counts in the end is the share of the opponents that a seat is ahead of. As long as tokens are
left, a lead makes it only likely to stay ahead, and the less so the more tokens there are.
"""

from __future__ import annotations

import numpy as np
from tables import Floats, Tables

from arena.games.meow.cards import FISH, VASE
from arena.games.meow.parameters import Vases


def worths(tables: Tables) -> Floats:
    """Return what each token of the row is worth to each seat: its points, and its prospects.

    A spare fish counts half the worst bone that may come, a first vase a quarter of the next one.
    """
    row = tables.row
    gains = tables.gains(row).astype(np.float32)
    coming = np.hstack((row, tables.later))
    bone = np.where(coming == VASE, 0, coming).min(axis=1, initial=0)
    is_idle = gains == 0
    token = row[:, None, :]
    worth = np.where(is_idle & (token == FISH), -bone[:, None, None] / 2, gains)
    if_vase = -5.0 * ((coming == VASE).sum(axis=1) > 1)
    if tables.parameters.vases is Vases.ONCE:
        if_vase = if_vase[:, None] * (tables.vases == 0)
    else:
        if_vase = np.broadcast_to(if_vase[:, None], tables.vases.shape)
    worth = np.where(is_idle & (token == VASE), if_vase[..., None], worth)
    return worth.astype(np.float32)


def prospects(tables: Tables) -> Floats:
    """Return the points of each seat, and what spare fish and vases may still bring."""
    coming = np.hstack((tables.row, tables.later))
    bone = np.where(coming == VASE, 0, coming).min(axis=1, initial=0)
    has_spare = tables.fish > (tables.bones < 0).sum(axis=2)
    vase_comes = (coming == VASE).any(axis=1)
    risk = 5.0 * (tables.next_vase_costs() & vase_comes[:, None])
    points: Floats = (tables.score - has_spare * bone[:, None] / 2 - risk).astype(np.float32)
    return points


def spread(tokens_left: int) -> np.float32:
    """Return the lead that gives a 73 % probability of staying ahead, by the tokens left."""
    return np.float32(np.sqrt(0.3 + 4.5 * tokens_left))


def shares(tables: Tables) -> Floats:
    """Return the share of its opponents that each seat will be ahead of, as the points suggest."""
    if tables.is_over:
        points = tables.score.astype(np.float32)
        ahead = (np.sign(points[:, :, None] - points[:, None, :]) + 1) / 2
    else:
        points = prospects(tables)
        ahead = sigmoid((points[:, :, None] - points[:, None, :]) / spread(tables.tokens_left))
    # The sum includes the seat itself, as 0.5.
    share: Floats = (ahead.sum(axis=2) - 0.5) / np.float32(tables.seats - 1)
    return share


def sigmoid(x: Floats) -> Floats:
    """Return a number between 0 and 1."""
    between: Floats = np.reciprocal(1 + np.exp(-np.clip(x, -30, 30)))
    return between
