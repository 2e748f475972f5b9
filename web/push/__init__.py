"""What is sent without a request: event streams, and the JSON that they share with answers.

Imports ``web.language`` and ``companion.public``.
"""
