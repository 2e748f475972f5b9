"""What everybody may know: cards on the table, texts, standings, updates, and the services behind the pages.

It imports only ``companion.errors``, and reads no file. Camera, panel and pages import this package and
``companion.reading``, and nothing else of the core, so no event, state or log can reach a lamp or a phone.
"""
