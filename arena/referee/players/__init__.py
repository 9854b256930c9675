"""Players: in this process, or bots in their own processes behind a socket."""
