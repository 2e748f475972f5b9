"""What changed: moving hands, changed tiles, the light and the bare table.

Stands on ``vision.camera`` and ``vision.geometry``; it knows nothing of stickers.
"""
