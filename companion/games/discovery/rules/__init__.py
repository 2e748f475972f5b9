"""Decides whether a move is allowed; nothing here changes the position.

Imports the deck, the setup, the moves and the state, but never ``effects``: judging must not depend on playing.
"""
