"""Tools for this machine: the doctor, printed sheets, the console and systemd.

It imports ``companion.storage`` and the games, and may import camera and panel to test them, as otherwise only
``companion.app`` and ``companion.cli`` may.
"""
