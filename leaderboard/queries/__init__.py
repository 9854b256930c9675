"""Reading a league: leaderboards, histories, opponents, faults and totals."""
