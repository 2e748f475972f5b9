"""What a game draws on pages, one folder each.

A game imports ``web.middleware``, ``web.pages`` and ``web.language``; nothing else imports a game but the registry
here, which finds it by its folder.
"""
