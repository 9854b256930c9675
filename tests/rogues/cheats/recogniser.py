"""A bot that recognises a deal only by its cards: those face up, and the hands that it held."""

from __future__ import annotations

from arena.sdk import Result
from tests.rogues.cheats.cheat import main
from tests.rogues.cheats.watcher import Watcher


class Recogniser(Watcher):
    """Compares all matches that it plays or has played, without any help from the referee."""

    uses_only_cards = True

    def match_ended(self, result: Result) -> None:
        """Forget nothing."""


if __name__ == "__main__":
    main(Recogniser)
