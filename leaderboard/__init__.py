"""What a league remembers: bots, matches, ratings and standings, in one SQLite file."""
