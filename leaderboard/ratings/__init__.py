"""TrueSkill ratings: pure computation, and the ratings of a whole variant."""
