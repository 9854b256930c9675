"""Who can sit at a table: players in this process, and bots behind a socket."""
