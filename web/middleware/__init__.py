"""What every request passes: identity, roles, rate and size limits, and the answers when it fails.

Imports ``web.push``, ``web.language`` and ``companion.public``; knows no route.
"""
