"""Discover: Lands Unknown, for one to four players: the companion counts, and refuses what the rules forbid.

Imports ``companion.games.protocol``, ``companion.games.lattice`` and ``companion.public``: no clock, no random numbers,
no disk. ``rules`` decides whether a move is allowed, ``effects`` carries it out, allowed or not. The players follow the
texts on cards themselves. The ids of the rules, U1 to U42, are those of docs/lands.md.
"""
