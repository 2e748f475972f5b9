"""The people of a simulated table of Discovery: what they hold, what comes to their minds, and where cards lie.

They decide from the scoreboard (``live``). Nothing else in the game knows of them.
"""
