"""What is sent without being asked for: event streams and MQTT, and the JSON they share.

Stands on ``web.language`` and ``companion.public``.
"""
