"""The box: the doctor, printed sheets, the console and systemd.

It stands on ``companion.storage`` and the games, and may import camera and panel to test them, as otherwise only
``companion.app`` and ``companion.cli`` may.
"""
