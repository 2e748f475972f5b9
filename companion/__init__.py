"""The companion: a camera over a real table that referees a real card game."""

__version__ = "0.1.0"
