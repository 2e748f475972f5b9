from __future__ import annotations

from importlib.metadata import PackageNotFoundError, metadata


def _installed(key: str) -> list[str]:
    try:
        return metadata("companion-referee").get_all(key) or []
    except PackageNotFoundError:
        return []  # used from its folder, without installation


__version__ = next(iter(_installed("Version")), "0+unknown")
"""The version in ``pyproject.toml`` at installation."""

HOME = next((url.partition(", ")[2] for url in _installed("Project-URL") if url.startswith("Homepage, ")), None)
"""The project's address; only a release has one (``packaging/release --home``)."""
