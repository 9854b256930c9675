"""Playing matches: the table, and who sits at it."""
