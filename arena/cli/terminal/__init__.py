"""The terminal toolkit of the commands: tables, screens, progress, keys and option values."""
