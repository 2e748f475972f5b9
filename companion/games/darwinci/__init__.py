"""Darwinci, for three to five players, with the variant for experts.

It imports ``companion.games.protocol``, ``companion.games.lattice`` and ``companion.public``: no clock, no dice, no
disk. ``rules`` asks whether something may be done and who wins what, ``effects`` does it, lawful or not. The rules'
ids, W1 to W32, are those of docs/darwinci.md.
"""
