"""Whether a bot is fit to play: the steps of `arena check`."""
