"""Phones and televisions: pages, a JSON API, event streams and MQTT.

It imports ``companion.public`` and ``companion.errors``: what a phone may see, ask and do stands behind the services
there.
"""
