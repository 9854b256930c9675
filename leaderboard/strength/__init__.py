"""Strengths with intervals, computed from all results at once, whatever their order.

They stand beside TrueSkill and say how sure they are: a 95 % interval for each strength, an
interval for each rank, and the chance to be first. Only `league` and `stored_sums` read a
league's file.
"""
