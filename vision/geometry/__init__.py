"""Where the table is in a picture: corner tags, the plane, quadrilaterals and tiles.

Stands on ``vision.camera``. Coordinates are named in each docstring: picture, small picture, tiles or table mm.
"""
