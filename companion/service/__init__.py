"""The running table behind the public protocols: one thread that decides, and what phones may see, ask and do.

It stands on ``companion.referee`` and ``companion.storage`` and knows neither HTTP nor pins: pages and panels come to
it through ``companion.public``.
"""
