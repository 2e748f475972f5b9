"""Printing: stickers, label sheets, real cards and tiles, and the mat."""
