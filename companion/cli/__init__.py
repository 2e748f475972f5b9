"""The commands: each module reads the arguments of one or a few, calls one function and prints the result.

``output`` and ``progress`` do the printing. It may import everything; a table in use is put together in
``companion.app``, and ``run`` adds what only a box has.
"""
