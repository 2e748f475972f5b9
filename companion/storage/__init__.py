"""Files: the log in SQLite, records, matches, decks, pictures, settings and bundles.

It stands on ``companion.history`` and ``companion.games``. Whoever decides does not know where things are kept, so it
and ``companion.referee`` do not import each other.
"""
