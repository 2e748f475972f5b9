"""What only a box has: a Wi-Fi named, an update installed and a backup brought back, all from the host's page.

A table knows nothing of it, and it knows no table but its runner and its data folder; ``companion.cli.run`` joins them.
A laptop loads none of it, until its host brings a backup back. What root is asked to do, helpers in ``systemd/`` do.
"""
