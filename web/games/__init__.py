"""The pages of the games, one folder each.

A game imports ``web.middleware``, ``web.pages`` and ``web.language``. Only the registry here imports games; it finds
them by their folders.
"""
