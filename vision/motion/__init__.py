"""Change detection: moving hands, changed tiles, the light and the bare table.

Imports ``vision.camera`` and ``vision.geometry``; knows nothing of stickers.
"""
