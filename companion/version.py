"""Which version this is."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def _installed_version() -> str:
    try:
        return version("companion-referee")
    except PackageNotFoundError:
        return "0+unknown"  # the folder is used as it lies there


__version__ = _installed_version()
"""What ``pyproject.toml`` said when it was installed."""
