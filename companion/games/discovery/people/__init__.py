"""The people of a simulated table of Discovery: what they hold, what comes to their minds, and where cards lie.

At a live table they decide from the scoreboard (``live``); a film whose truth must be known is told beforehand
(``scripted``). Nothing else in the game knows of them.
"""
