"""Training of bots that learn from matches against themselves."""
