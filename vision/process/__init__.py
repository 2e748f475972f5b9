"""The observer in its own process, and its supervisor.

Imports ``vision.tracking``; the parent's side imports no OpenCV.
"""
