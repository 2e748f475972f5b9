"""What ``import hardware`` gives."""

from __future__ import annotations

import doctest
import subprocess
import sys

import pytest

import hardware
import hardware.panel


@pytest.mark.parametrize("module", [hardware, hardware.panel])
def test_the_example_runs(module) -> None:
    result = doctest.testmod(module)
    assert (result.failed, result.attempted > 0) == (0, True)


def test_every_name_is_there_and_none_loads_gpiozero_before_it_is_used() -> None:
    assert all(getattr(hardware, name) is not None and name in dir(hardware) for name in hardware.__all__)
    assert set(hardware._MODULES) == set(hardware.__all__)
    check = "import sys, hardware; sys.exit('gpiozero' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
