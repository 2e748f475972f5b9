"""The pages of the games, one folder each.

A game imports ``web.middleware``, ``web.pages`` and ``web.language``. Nothing imports a game: its pages are an entry
point of its package.
"""
