"""Drawn tables: a scene, its light, its hands, seen by a modelled camera.

Stands on ``vision.camera``, ``geometry`` and ``codes``, and never looks at what the observer makes of its pictures.
"""
