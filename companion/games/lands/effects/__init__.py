"""Carries out moves, legal or not.

May import ``rules``. The referee decides about legality; the figure is on the table either way.
"""
