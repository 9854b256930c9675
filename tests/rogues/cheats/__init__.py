"""Bots that cheat, each with an honest twin: the same bot without its trick.

They play as the greedy house bots do. A cheat looks for a deal that it has met before, or could
compute, and then plays as well as a greedy bot plays that is shown those cards. A process is
started with one word: `cheat` uses what it knows, `honest` never looks, and `tell` confesses with
an illegal action whenever it has recognised a deal.
"""
