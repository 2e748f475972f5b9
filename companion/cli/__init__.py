"""The commands, one module each.

It may import everything: ``run`` is the one place where camera, referee, panel and pages are put together.
"""
