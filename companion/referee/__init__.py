"""Deciding: commands and observations go in, decisions come out.

It stands on ``companion.history`` and knows no clock, queue, device or particular game. ``match`` keeps the order
decide, write, tell, complete.
"""
