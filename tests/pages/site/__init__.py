"""Tests of the pages of a whole league."""
