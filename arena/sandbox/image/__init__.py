"""The files that bots see, in memory."""
