"""May it be done, and who wins it? Questions about stones, tiles and plots; nothing here changes one.

It imports the deck, the setup, the moves and the state, and never ``effects``: judging must not depend on playing.
"""
