"""What ``import web`` gives."""

from __future__ import annotations

import doctest
import subprocess
import sys

from support.fake_desk import FakeDesk

import web


def test_the_example_runs() -> None:
    result = doctest.testmod(web, extraglobs={"services": FakeDesk()})
    assert (result.failed, result.attempted > 0) == (0, True)


def test_every_name_is_there_and_none_loads_a_library_before_it_is_used() -> None:
    assert all(getattr(web, name) is not None and name in dir(web) for name in web.__all__)
    assert set(web._MODULES) == set(web.__all__)
    check = "import sys, web; sys.exit(any(name in sys.modules for name in ('flask', 'waitress', 'paho', 'babel')))"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
