"""Options that several commands share: cage and clock, deals, league file, workers."""
