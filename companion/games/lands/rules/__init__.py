"""Decides whether a move is allowed: one function for each paragraph of the rules; a refusal is a value with a reason.

Imports the setup, the state and the moves, but never ``effects``.
"""
