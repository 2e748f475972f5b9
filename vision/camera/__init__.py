"""Frames from cameras, films and folders.

The lowest floor of ``vision``: it knows no stickers and no table.
"""
