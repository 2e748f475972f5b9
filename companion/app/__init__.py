"""A table in use: what it is made of, opened part by part and closed in the reverse order.

It stands on the services, the storage and this machine's own tools, and joins them to the eye (``vision``), the panel
(``hardware``) and the pages (``web``), each of which is loaded where it is opened. ``table`` shows the parts and their
order; a simulated table, a recorded one and one under a camera differ in ``sources`` alone. It knows no command, and
nothing of ``companion.box``.
"""
