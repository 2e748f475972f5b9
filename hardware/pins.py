"""The pins that are used: those of ``GPIOZERO_PIN_FACTORY``, else lgpio on a Pi and gpiozero's mock pins elsewhere."""

from __future__ import annotations

import logging
import os
import tempfile
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.errors import DeviceError

MODEL = Path("/proc/device-tree/model")

_log = logging.getLogger(__name__)


def on_a_pi(model: Path = MODEL) -> bool:
    try:
        return "Raspberry Pi" in model.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False


class ForgetfulPin(MockPWMPin):
    """A mock pin that keeps only its last state: gpiozero's keep all, for tests, and a lamp changes all evening."""

    def _change_state(self, value: float) -> bool:
        changed = bool(super()._change_state(value))  # type: ignore[no-untyped-call]
        del self.states[:-1]
        return changed


def pin_library(*, pi: bool | None = None) -> str:
    """The name of the library that drives the pins, as gpiozero calls it: ``lgpio``, ``mock``, ``pigpio``…

    ``GPIOZERO_PIN_FACTORY`` chooses it, as for every program that uses gpiozero: ``mock`` for a dry run, ``pigpio``
    with ``PIGPIO_ADDR`` for the pins of another Pi.

    Args:
        pi: Whether this is a Pi; ``None`` = find out.
    """
    usual = "lgpio" if (on_a_pi() if pi is None else pi) else "mock"
    return os.environ.get("GPIOZERO_PIN_FACTORY") or usual


def pin_factory(*, pi: bool | None = None) -> Any:
    """The pins that ``pin_library`` names; close them after the devices on them.

    If they cannot be used, no other library is tried: a dark lamp would have no reason.

        >>> pins = pin_factory(pi=False)
        >>> pins.pin(17).state
        False
        >>> pins.close()

    Args:
        pi: Whether this is a Pi; ``None`` = find out.

    Raises:
        DeviceError: There is no such library, or its pins cannot be used.
    """
    library = pin_library(pi=pi)
    if library == "mock":
        _log.info("no pins here: lamp, buzzer and buttons are gpiozero's mock pins")
        return MockFactory(pin_class=ForgetfulPin)
    if library == "lgpio":
        return _lgpio()
    known = entry_points(group="gpiozero_pin_factories")
    if library not in known.names:
        names = ", ".join(sorted(known.names))
        raise DeviceError(f"GPIOZERO_PIN_FACTORY says {library}, which gpiozero does not know: it knows {names}")
    try:
        return known[library].load()()
    except Exception as error:  # each library has errors of its own
        raise DeviceError(
            f"the pins of GPIOZERO_PIN_FACTORY={library} cannot be used ({error}): unset it, or see gpiozero's page on "
            "remote GPIO"
        ) from error


def _lgpio() -> Any:
    # lgpio puts a pipe into the working folder when it is imported, which a service may not be allowed to do. Given
    # another folder, it changes into it and stays there, and every relative path of this program would change.
    os.environ.setdefault("LG_WD", os.environ.get("RUNTIME_DIRECTORY", tempfile.gettempdir()))
    here = Path.cwd()
    try:
        try:
            from gpiozero.pins.lgpio import LGPIOFactory
        finally:
            os.chdir(here)
    except (ImportError, AttributeError) as error:  # PyPI has an empty package of that name
        raise DeviceError(
            f"the panel's pins need lgpio ({error}): sudo apt-get install python3-lgpio, then ./run again"
        ) from error
    try:
        return LGPIOFactory()
    except Exception as error:  # lgpio's errors have no common base class
        raise unusable(error) from error


def unusable(error: Exception) -> DeviceError:
    """The error for a pin that cannot be used, with what to do about it."""
    return DeviceError(
        f"the panel's pins cannot be opened ({error}): is this user in the group gpio, and is another "
        "program using them? sudo usermod -aG gpio $USER, then log in again"
    )
