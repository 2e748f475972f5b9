"""Where glibc takes memory from, seen from a program of its own."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path

import pytest

BUSY = """
import ctypes, sys, threading
from companion.system.memory import release_memory, keep_together
if sys.argv[1] == "together":
    keep_together()
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
all_there = threading.Barrier(12)
def work():
    all_there.wait()
    libc.malloc(100_000)
    all_there.wait()
threads = [threading.Thread(target=work) for _ in range(12)]
for thread in threads: thread.start()
for thread in threads: thread.join()
libc.fopen.restype = ctypes.c_void_p
out = ctypes.c_void_p(libc.fopen(sys.argv[2].encode(), b"w"))
libc.malloc_info(0, out)
libc.fclose(out)
release_memory()
"""


def arenas(how: str, told: Path) -> int:
    """How many places a program with a dozen threads takes its memory from."""
    subprocess.run([sys.executable, "-c", BUSY, how, str(told)], cwd=Path(__file__).parents[3], check=True, timeout=60)
    return told.read_text().count("<heap nr=")


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_info"), reason="another C library")
def test_all_threads_take_memory_from_the_same_places(tmp_path: Path) -> None:
    assert arenas("together", tmp_path / "told") <= 2
    assert arenas("as usual", tmp_path / "told") > 2, "the measure sees what it is for"
