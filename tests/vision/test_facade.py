"""``import vision`` is cheap, and what its docstring shows works."""

from __future__ import annotations

import doctest
import subprocess
import sys

import vision


def test_the_call_in_the_docstring_works():
    assert doctest.testmod(vision).failed == 0
    assert doctest.testmod(vision).attempted


def test_importing_it_loads_no_opencv():
    check = "import sys, vision; sys.exit('cv2' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
