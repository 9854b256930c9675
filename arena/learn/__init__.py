"""Our games in the forms that learning programs use. README.md (`arena docs learn`) has examples.

`arena.learn.vector` plays many matches at once with numpy arrays. `arena.learn.pettingzoo` and
`arena.learn.gym` are environments of PettingZoo and Gymnasium, and `arena.learn.openspiel` adds our
games to OpenSpiel. All of them need the extra `learn`, and nothing else of the arena imports them.
"""
