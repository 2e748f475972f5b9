"""Carcassonne: The Discovery, for two to five players.

It imports ``companion.games.protocol``, ``companion.games.lattice`` and ``companion.public``: no clock, no dice, no
disk. ``rules`` asks whether something may be done, ``effects`` does it, lawful or not. The rules' ids, C1 to C23, are
those of docs/carcassonne.md.
"""
