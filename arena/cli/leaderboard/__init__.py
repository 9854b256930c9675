"""The command `arena leaderboard`."""
