"""Carcassonne: The Discovery, for two to five players.

Imports ``companion.games.protocol``, ``companion.games.lattice`` and ``companion.public``: no clock, no random numbers,
no disk. ``rules`` decides whether a move is allowed, ``effects`` carries it out, allowed or not. The ids of the rules,
C1 to C23, are those of docs/carcassonne.md.
"""
