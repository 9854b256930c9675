"""Who plays whom in the next round of a Swiss event, at tables of two to six?

Entrants with equal points meet, and repeated meetings are avoided where possible: a search fills
the tables (`tables`). At tables of two that is the usual Swiss system: the top half of a score
group meets the bottom half, the last of an odd group joins the next one, and the bye goes to the
lowest score, never twice. FIDE's rules for colours are left out, because a pairing is played in
both seats, and so are those that spare entrants who have changed groups before.

The standings of larger tables count opposition too, see `leaderboard.standings`; pairing by those
standings was measured, and is worse.
"""

from arena.scheduling.swiss.history import History, Played
from arena.scheduling.swiss.rounds import Round, default_rounds, swiss_round

__all__ = ["History", "Played", "Round", "default_rounds", "swiss_round"]
