from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def _installed_version() -> str:
    try:
        return version("companion-referee")
    except PackageNotFoundError:
        return "0+unknown"  # used from its folder, without installation


__version__ = _installed_version()
"""The version in ``pyproject.toml`` at installation."""
