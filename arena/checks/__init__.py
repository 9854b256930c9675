"""The steps of `arena check`, which tests whether a bot is fit to play."""
