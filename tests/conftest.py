"""Settings of all tests."""

from __future__ import annotations

from hypothesis import settings

# How long an example takes says something about the machine's other work, nothing about the property.
settings.register_profile("companion", deadline=None)
settings.load_profile("companion")
