"""What `import arena` offers: matches, comparisons, checks, leagues and replays in Python."""
