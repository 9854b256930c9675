"""Swiss events: who meets whom in the next round, at tables of two to six."""

from arena.scheduling.swiss.history import History, Played
from arena.scheduling.swiss.rounds import Round, default_rounds, swiss_round

__all__ = ["History", "Played", "Round", "default_rounds", "swiss_round"]
