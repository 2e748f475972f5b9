"""What every request passes: who asks, how often, how much, and what is answered when it goes wrong.

Stands on ``web.push``, ``web.language`` and ``companion.public``; no route is known here.
"""
