"""Where pins come from: lgpio on a Pi, gpiozero's mock pins elsewhere."""

from __future__ import annotations

import logging
import os
import tempfile
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.errors import DeviceError

MODEL = Path("/proc/device-tree/model")

_log = logging.getLogger(__name__)


def on_a_pi(model: Path = MODEL) -> bool:
    """Whether this computer is a Raspberry Pi."""
    try:
        return "Raspberry Pi" in model.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False


class ForgetfulPin(MockPWMPin):
    """A mock pin that does not write down what it did, as gpiozero's do for tests: a lamp changes all evening."""

    def _change_state(self, value: float) -> bool:
        changed = bool(super()._change_state(value))  # type: ignore[no-untyped-call]
        del self.states[:-1]
        return changed


def pin_factory(*, pi: bool | None = None) -> Any:
    """The pins of this computer; close them after what was built on them.

    On a Pi lgpio or nothing: the other libraries of gpiozero's do not work on every Pi, and silently taking
    one of them, or mock pins, would leave a dark lamp that nobody can explain.

    Args:
        pi: Whether this is a Pi; ``None`` = look.

    Raises:
        DeviceError: On a Pi whose pins cannot be used.
    """
    if not (on_a_pi() if pi is None else pi):
        _log.info("no pins here: lamp, buzzer and buttons are gpiozero's mock pins")
        return MockFactory(pin_class=ForgetfulPin)
    wanted = os.environ.get("GPIOZERO_PIN_FACTORY", "lgpio")
    if wanted != "lgpio":
        raise DeviceError(f"the panel's pins need lgpio, but GPIOZERO_PIN_FACTORY says {wanted}: unset it")
    # lgpio puts a pipe into the working folder when it is imported, which a service may not be allowed to do. Told of
    # another folder it stays there, and every relative path of this program would mean something else from then on.
    os.environ.setdefault("LG_WD", os.environ.get("RUNTIME_DIRECTORY", tempfile.gettempdir()))
    here = Path.cwd()
    try:
        try:
            from gpiozero.pins.lgpio import LGPIOFactory
        finally:
            os.chdir(here)
    except (ImportError, AttributeError) as error:  # an empty stand-in of that name exists on PyPI
        raise DeviceError(
            f"the panel's pins need lgpio ({error}): sudo apt-get install python3-lgpio, then ./run again"
        ) from error
    try:
        return LGPIOFactory()
    except Exception as error:  # lgpio has errors of its own, of no common family
        raise unusable(error) from error


def unusable(error: Exception) -> DeviceError:
    """What a pin's own error means, and what to do about it."""
    return DeviceError(
        f"the panel's pins cannot be opened ({error}): is this user in the group gpio, and is another "
        "program using them? sudo usermod -aG gpio $USER, then log in again"
    )
