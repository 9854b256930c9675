"""What a player of OpenSpiel observes: views as tensors and text, histories as text."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from arena.games import AnyGame
from arena.games.notation import Audience, private_fields
from arena.learn.tree import Node


class Observer:
    """Writes what a player observes into `tensor`, whose parts are in `dict`, or as text.

    With perfect recall that is its history, which has no tensor; otherwise its view, or only the
    public or the private part of it.
    """

    # OpenSpiel is not typed: hence Any.
    def __init__(self, game: AnyGame, seats: int, kind: Any) -> None:
        """Lay out the tensor for this kind of observation."""
        self._game = game
        self._recalls = bool(kind.perfect_recall)
        self._public = bool(kind.public_info)
        self._private = bool(kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER)
        self.dict: dict[str, np.ndarray[Any, Any]] = {}
        if self._recalls:
            self.tensor = np.zeros(0, np.float32)
            return
        self._encoder = game.encoder(seats)
        audiences = [Audience.RULES, Audience.PUBLIC] if self._public else []
        audiences += [Audience.PRIVATE] if self._private else []
        found = [(each.value, self._encoder.audience(each)) for each in audiences]
        wanted = [(name, part) for name, part in found if part.stop]
        # What is wanted lies in one piece: everything, or the beginning, or the end.
        self._slice = slice(wanted[0][1].start, wanted[-1][1].stop) if wanted else slice(0, 0)
        self.tensor = np.zeros(self._slice.stop - self._slice.start, np.float32)
        for name, part in wanted:
            start, stop = part.start - self._slice.start, part.stop - self._slice.start
            self.dict[name] = self.tensor[start:stop]

    def set_from(self, state: Any, player: int) -> None:
        """Write what this player observes into the tensor; zeros until the first deal is over."""
        node: Node[Any] = state.node
        latest = node.latest_state
        if latest is None:
            self.tensor.fill(0)
        elif not self._recalls:
            view = self._game.view_of(latest, player)
            self.tensor[:] = self._encoder.encode(view)[self._slice]

    def string_from(self, state: Any, player: int) -> str:
        """Write what this player observes as text; nothing until the first deal is over."""
        node: Node[Any] = state.node
        latest = node.latest_state
        if latest is None:
            return ""
        if self._recalls:
            return node.history.text(player)
        lines = self._game.view_form.show(self._game.view_of(latest, player)).split("\n")
        return "\n".join(line for line in lines if self._may_show(line.partition(":")[0], node))

    def _may_show(self, field: str, node: Node[Any]) -> bool:
        if field in private_fields(self._game.view_type):
            return self._private
        # Each player's own number belongs to neither part.
        return self._public and (self._private or field != "seat")
