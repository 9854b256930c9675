"""Tests of comparisons between two versions of a bot."""
