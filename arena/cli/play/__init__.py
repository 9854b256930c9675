"""The command `arena play`: matches between bots and people."""
