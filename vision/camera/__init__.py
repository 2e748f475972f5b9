"""Frames from cameras, videos and folders of pictures.

The lowest layer of ``vision``: it knows nothing of stickers or the table.
"""
