"""Darwinci, for three to five players, with the variant for experts.

Imports ``companion.games.protocol``, ``companion.games.lattice`` and ``companion.public``: no clock, no random numbers,
no disk. ``rules`` decides whether a move is allowed and who wins a tile, ``effects`` carries moves out, allowed or not.
The ids of the rules, W1 to W32, are those of docs/darwinci.md.
"""
