"""What only a box has: joining a Wi-Fi, installing an update and restoring a backup, all from the host's page.

A table does not know it, and it knows of a table only the runner and the data folder; ``companion.cli.run`` joins them.
A laptop loads it only when its host restores a backup. What needs root is done by helpers in ``systemd/``.
"""
