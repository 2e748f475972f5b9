"""A table in use: its parts, opened in order and closed in reverse order.

It imports the services, the storage and the tools for this machine, and connects them to the camera's process
(``vision``), the panel (``hardware``) and the pages (``web``), each of which is loaded when it is opened. ``table``
shows the parts and their order; simulated, recorded and real tables differ in ``sources`` only. It knows no command,
and nothing of ``companion.box``.
"""
