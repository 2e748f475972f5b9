"""Carries out moves, legal or not.

May import ``rules``. The referee decides about legality; the cards are on the table either way.
"""
