"""Where bots run: their processes, and what they are kept from."""
