"""A server for the Model Context Protocol, for programs with a language model.

They play, write bots, and submit them. A match that a client plays is known by a key that only that
client has, and shows the view of its own seat. All else is done by the commands, which run as
separate processes.
"""
