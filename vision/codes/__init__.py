"""Stickers: what may be printed on them, where they may lie, and how they are read.

Stands on ``vision.camera`` and ``vision.geometry``, beside ``vision.motion``.
"""
