"""Many tables: what they publish, tournaments between their players, and the store for both.

Imports only ``companion.errors`` and ``companion.public``: a hub knows no game and no table's log. Only ``web.hub`` and
``companion.cli`` import it. Its additional libraries are the extra ``hub`` of the distribution.
"""
