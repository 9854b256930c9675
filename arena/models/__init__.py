"""Language models that play: a model behind an OpenAI-compatible address takes a seat.

The host asks the model; it is a player beside the referee, as a person is, and never a caged bot.
A prompt has the view of one seat and the public events, and nothing else of a match.
"""
