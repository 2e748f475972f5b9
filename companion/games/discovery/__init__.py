"""Discovery: the evolution game. Five profiles, one engine.

Imports ``companion.games.protocol`` and ``companion.public``: no clock, no random numbers, no disk. ``rules`` decides
whether a move is allowed, ``effects`` carries it out, allowed or not.
"""
