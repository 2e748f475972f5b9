"""Tracking: from one look to the next, which stickers lie where, and why some cannot be seen.

Imports ``vision.camera``, ``geometry``, ``motion`` and ``codes``; only ``observer`` calls the stages of a look.
"""
