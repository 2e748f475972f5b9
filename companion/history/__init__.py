"""What is known of a match: events, their JSON, and the record as a fold over them.

It imports ``companion.games.protocol`` and ``companion.public``, and is pure: the same entries make the same record
everywhere. It knows no particular game.
"""
