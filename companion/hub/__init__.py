"""Many tables: what they publish, tournaments between their players, and where these are kept.

Stands on ``companion.errors`` and ``companion.public`` alone: a hub knows no game and no table's log. Only ``web.hub``
and ``companion.cli`` import it. What it needs beyond a table is the extra ``hub`` of the distribution.
"""
