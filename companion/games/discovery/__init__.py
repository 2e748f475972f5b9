"""Discovery: the evolution game. Five profiles, one engine.

It imports ``companion.games.protocol`` and ``companion.public``: no clock, no dice, no disk. ``rules`` asks whether
something may be done, ``effects`` does it, lawful or not.
"""
