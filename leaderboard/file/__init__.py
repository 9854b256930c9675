"""The SQLite file itself: what is in it, who may open it, and the journal of its changes."""
