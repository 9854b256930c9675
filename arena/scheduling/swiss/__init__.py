"""Who meets whom in the next round of a Swiss event, at tables of two to six?

Equals meet equals, and nobody meets the same opponent again while that can be avoided. Tables of
two are paired exactly (`two`), larger ones by a search (`tables`).

Beside the Dutch system of FIDE, as py4swiss 0.3.1 plays it, on 1,980 rounds of simulated events
with 8 to 40 entrants (`scripts/bench swiss`): 91 % of the pairs are the same with 8 entrants, 80 %
with 16, 68 % with 40. Neither ever repeats a meeting or gives a second bye. The squared differences
in score add up to 2,376 here and 2,455 there, the scores of those with a bye to 618 and 636. In 47
of 32,080 seats somebody begins a third time running in the same one, and in 14 there. They differ
because

- FIDE pairs from the top, one score group after the other, and what is best there comes first; here
  all pairs of the round are weighed together;
- FIDE would rather pair different scores than give a colour a third time running; here a pairing
  is played in both seats, so scores come first;
- FIDE spares those who floated in the last two rounds, which is not looked at here.
"""

from arena.scheduling.swiss.history import History, Played
from arena.scheduling.swiss.rounds import Round, default_rounds, swiss_round

__all__ = ["History", "Played", "Round", "default_rounds", "swiss_round"]
