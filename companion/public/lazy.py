"""Facades of packages: their names are loaded at the first use, so that importing a package stays cheap."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy(package: str, modules: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The ``__getattr__`` and ``__dir__`` of a package's module (PEP 562).

        >>> load, names = lazy("companion.public", {"Seat": "companion.public.table"})
        >>> load("Seat")(2), "Seat" in names()
        (2, True)

    Args:
        modules: Each name of the package's facade, and the module that defines it.
    """

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(modules[name]), name)

    def names() -> list[str]:
        return sorted({*vars(import_module(package)), *modules})

    return load, names
