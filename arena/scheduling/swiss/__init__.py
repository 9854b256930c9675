"""Who plays whom in the next round of a Swiss event, at tables of two to six?

Entrants with equal points meet, and repeated meetings are avoided where possible. Tables of two are
paired exactly (`two`), larger ones by a search (`tables`). The standings of larger tables count
opposition too, see `leaderboard.standings`; pairing by those standings was measured, and is worse.

Compared with FIDE's Dutch system, as implemented by py4swiss 0.3.1, on 1,980 rounds of simulated
events with 8 to 40 entrants (scripts/benches/STUDIES.md): 91 % of the pairs are the same with 8
entrants, 80 % with 16, 68 % with 40. Neither ever repeats a meeting or gives a second bye. The
squared differences in score add up to 2,376 here and 2,455 there, the scores of entrants with a bye
to 618 and 636. In 47 of 32,080 seats an entrant starts in the same seat for the third time running,
against 14 there. The differences are:

- FIDE pairs from the top, one score group after another, and the upper groups take precedence; here
  all pairs of the round are weighed together;
- FIDE prefers a difference in scores to the same colour three times running; here a pairing is
  played in both seats, so scores come first;
- FIDE spares entrants who floated in the last two rounds, which is not considered here.
"""

from arena.scheduling.swiss.history import History, Played
from arena.scheduling.swiss.rounds import Round, default_rounds, swiss_round

__all__ = ["History", "Played", "Round", "default_rounds", "swiss_round"]
