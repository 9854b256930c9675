"""Events: entered in a league, played by workers, and ranked."""
