"""A league that others submit to: `arena serve`."""
