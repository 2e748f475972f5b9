"""The camera's side: from frames to what lies where on the table.

It imports ``companion.public`` and ``companion.errors`` and runs in a process of its own, which a crash or a hang of
a camera cannot take the referee with.
"""
