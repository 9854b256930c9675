"""Tests of scripts/training and of the bot that it trains."""
