"""What arguments of commands may be."""

from __future__ import annotations

import argparse


def port(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; choose 1 to 65535")
    return int(text)


def seconds(text: str) -> float:
    return _amount(text, 86_400, "seconds")


def minutes(text: str) -> float:
    return _amount(text, 1_440, "minutes")


def _amount(text: str, most: int, unit: str) -> float:
    if not text.isdecimal() or not 0 < int(text) <= most:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of {unit}; choose 1 to {most}")
    return float(text)


def speed(text: str) -> float:
    try:
        factor = float(text)
    except ValueError:
        factor = -1.0
    if not 0 <= factor <= 100:  # also true for NaN
        raise argparse.ArgumentTypeError(f"{text!r} is no speed; choose 1 for life, up to 100, or 0 for at once")
    return factor
