"""The pages of a hub, and the one place that listens to a broker.

Stands on ``companion.hub``, ``companion.public`` and the doors of ``web.middleware`` that know no table.
"""
