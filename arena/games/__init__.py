"""The rules of the games: pure, deterministic, without clock, file or network."""
