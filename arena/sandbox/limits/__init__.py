"""What a bot may not do, and how much it may use."""
