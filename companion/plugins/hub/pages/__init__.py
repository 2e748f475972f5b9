"""The pages of a hub, and the only code that subscribes to a broker.

Imports ``companion.plugins.hub``, ``companion.public`` and those modules of ``web.middleware`` that know no table.
"""
