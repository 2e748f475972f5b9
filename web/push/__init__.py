"""What is sent without a request: event streams and MQTT, and the JSON they share.

Imports ``web.language`` and ``companion.public``.
"""
