"""Carries out moves, legal or not.

May import ``rules``. The referee decides about legality; the tile or stone is on the table either way.
"""
