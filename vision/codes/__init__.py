"""Stickers: their codes, candidate places, and reading them.

Imports ``vision.camera`` and ``vision.geometry``; independent of ``vision.motion``.
"""
