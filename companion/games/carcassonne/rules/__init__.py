"""May it be done? Questions about a map, its counters and whose turn it is; nothing here changes one.

It imports the deck, the setup, the moves and the state, and never ``effects``: judging must not depend on playing.
"""
