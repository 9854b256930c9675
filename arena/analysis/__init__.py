"""What the house bot `search` thinks of the decisions of a match."""
