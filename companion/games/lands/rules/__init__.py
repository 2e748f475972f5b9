"""May this be done? One function for each paragraph of the rules; a refusal is a value with a reason.

Rules know the setup, the state and the moves, and nothing of what follows.
"""
