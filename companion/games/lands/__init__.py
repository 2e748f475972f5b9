"""Discover: Lands Unknown, for one to four players: the companion keeps count, and says no where the rules do.

It imports ``companion.games.protocol``, ``companion.games.lattice`` and ``companion.public``: no clock, no dice, no
disk. ``rules`` asks whether something may be done, ``effects`` does it, lawful or not. What stands on cards is
followed by people. The rules' ids, U1 to U42, are those of docs/lands.md.
"""
