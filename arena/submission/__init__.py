"""Submissions: a bot on disk, its manifest, files, limits and package."""
