"""The observer: one look after the other, what lies where, and why something cannot be seen.

Stands on ``vision.camera``, ``geometry``, ``motion`` and ``codes``; only ``observer`` calls the stages of a look.
"""
