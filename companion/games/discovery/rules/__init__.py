"""May it be done? Questions about a position; nothing here changes one.

It imports the deck, the setup, the moves and the state, and never ``effects``: judging must not depend on playing.
"""
