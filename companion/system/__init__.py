"""The box: the doctor, printed sheets, the console and systemd.

It stands on ``companion.storage`` and the games, and with ``companion.cli`` alone may import camera and panel to test
them.
"""
