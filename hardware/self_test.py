"""Tests the panel before an evening."""

from __future__ import annotations

import time
from contextlib import ExitStack, closing
from typing import Any

from gpiozero.input_devices import Button

from companion.public.updates import Alert, Signal, Update
from hardware.panel import Panel
from hardware.wiring import ButtonPin, Wiring


def run(wiring: Wiring, factory: Any, *, seconds: float = 1.0) -> tuple[str, ...]:
    """Show red, green, blue, play a rising note, and check that no button is stuck.

    Returns:
        What is wrong, each as half a sentence; empty = nothing. Whether a lamp really shone cannot be seen from here.

    Raises:
        OSError: The pins cannot be used; another program may be using them.
    """
    with closing(Panel(wiring, factory)) as panel:
        for news in (
            Update(None, Signal.LOST, alert=Alert.REFUSED),
            Update(None, Signal.PRIZE),
            Update(None, Signal.LOST, alert=Alert.LOST),
        ):
            panel(news)
            time.sleep(seconds)
    with ExitStack() as opened:
        buttons = [
            (push, opened.enter_context(Button(push.pin, pull_up=True, pin_factory=factory))) for push in wiring.buttons
        ]
        time.sleep(seconds / 4)
        return tuple(f"{_name(push)} is pressed all the time" for push, button in buttons if button.is_pressed)


def _name(push: ButtonPin) -> str:
    whose = f" of seat {push.seat}" if push.seat else ""
    return f"the button {push.name}{whose} (pin {push.pin})"
