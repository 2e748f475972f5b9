"""Fixtures of the tests that draw tables."""

from support.drawn_once import drawn_once as drawn_once
