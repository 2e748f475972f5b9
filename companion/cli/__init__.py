"""The commands: each module reads the arguments of one or a few, calls one thing and prints what comes of it.

``output`` and ``progress`` are how they speak. It may import everything; a table in use is put together in
``companion.app``, and what only a box has is handed to it by ``run``.
"""
