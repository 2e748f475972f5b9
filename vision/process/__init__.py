"""The observer in a process of its own, and who watches over it.

Stands on ``vision.tracking``; the parent's side imports no OpenCV.
"""
