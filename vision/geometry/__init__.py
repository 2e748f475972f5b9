"""The position of the table in a picture: corner tags, homography, quadrilaterals and tiles.

Imports ``vision.camera``. Each docstring names its coordinates: picture, small picture, tiles or table mm.
"""
