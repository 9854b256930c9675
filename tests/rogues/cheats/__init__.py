"""Bots that cheat, each with an honest twin: the same bot without its trick.

They play like the greedy house bots. A cheat looks for a deal that it has seen before or can
compute, and then plays like a greedy bot that can see those cards. The argument of the program
selects the mode: `cheat` uses what it knows, `honest` never looks, and `confess` confesses with an
illegal action whenever it has recognised a deal.
"""
