"""The players of a simulated table of Discovery: their cards, decisions and places.

They decide by the scoreboard (``live``). Nothing else in the game depends on them.
"""
