"""Our calls against picamera2 as it is released, parsed and not run; tests/tools/camera.sh runs the newest."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from support.long_cases import rest_long

from vision.camera import picamera

BUILD = Path(__file__).parents[3] / "build" / "picamera2"
VERSIONS = (
    "0.3.38",
    "0.3.25",
    "0.3.27",
    "0.3.30",
    "0.3.31",
    "0.3.32",
    "0.3.33",
    "0.3.34",
    "0.3.35",
    "0.3.36",
    "0.3.37",
)
"""Today's, Raspberry Pi OS Bookworm's of early 2025, and all between."""

CALLS = {
    "__init__": {"camera_num"},
    "autofocus_cycle": {"wait"},
    "camera_configuration": set(),
    "camera_controls": set(),
    "cancel_all_and_flush": set(),
    "capture_metadata": {"wait"},
    "capture_request": {"wait"},
    "close": set(),
    "configure": set(),
    "create_video_configuration": {"main", "lores", "sensor", "buffer_count", "queue"},
    "global_camera_info": set(),
    "set_controls": set(),
    "start": set(),
    "stop": set(),
}
"""What we use of ``Picamera2``, with the arguments that we name."""


@pytest.fixture(scope="module")
def released() -> Callable[[str], Path]:
    """The folder of a released version, fetched once and kept in ``build``."""

    def fetch(version: str) -> Path:
        folder = BUILD / version
        if not (folder / "picamera2").is_dir():
            wheels = BUILD / f"wheels-{os.getpid()}"
            command = [sys.executable, "-m", "pip", "download", "-qq", "--no-deps", "--dest", str(wheels)]
            done = subprocess.run([*command, f"picamera2=={version}"], capture_output=True, text=True, check=False)
            if done.returncode:
                pytest.skip("picamera2 cannot be fetched: the package index is out of reach")
            (wheel,) = wheels.glob(f"picamera2-{version}-*.whl")
            with zipfile.ZipFile(wheel) as packed:
                packed.extractall(folder)
            wheel.unlink()
        return folder / "picamera2"

    return fetch


@pytest.mark.parametrize("version", rest_long(VERSIONS, 2))
def test_what_we_call_is_what_the_released_picamera2_has(version: str, released: Callable[[str], Path]) -> None:
    folder = released(version)
    has = methods(folder / "picamera2.py", "Picamera2")
    for name, arguments in CALLS.items():
        assert name in has, name
        assert arguments <= has[name], name
    assert {"release", "get_metadata"} <= set(methods(folder / "request.py", "CompletedRequest"))
    assert {"request", "stream", "write"} <= methods(folder / "request.py", "MappedArray")["__init__"]


@pytest.mark.parametrize("version", rest_long(VERSIONS, 2))
def test_the_released_picamera2_still_does_what_ours_is_written_for(
    version: str, released: Callable[[str], Path]
) -> None:
    """It refuses a control that is not advertised, waits a number of seconds, and keeps a job that ran out of time."""
    folder = released(version)
    assert "is not advertised by libcamera" in (folder / "controls.py").read_text()
    source = (folder / "picamera2.py").read_text()
    waiting = ast.unparse(method(source, "dispatch_functions"))
    assert "job.get_result(timeout=timeout)" in waiting
    assert "_job_list = []" in ast.unparse(method(source, "cancel_all_and_flush"))
    assert "self.dispatch_functions([self.stop_]" in ast.unparse(method(source, "stop"))
    assert "/usb" in ast.unparse(method(source, "global_camera_info")), "webcams stand behind ribbon cameras"


def test_every_call_of_ours_is_one_that_is_compared() -> None:
    tree = ast.parse(Path(picamera.__file__).read_text())
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and ast.unparse(node.value) in ("camera", "self._camera", "_library('picamera2').Picamera2")
    }
    assert used == set(CALLS) - {"__init__"}


def method(source: str, name: str) -> ast.FunctionDef:
    return next(
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef) and node.name == name and len(node.body) > 1
    )


def methods(file: Path, name: str) -> dict[str, set[str]]:
    """The methods of a class, each with the names of its arguments."""
    (found,) = (n for n in ast.walk(ast.parse(file.read_text())) if isinstance(n, ast.ClassDef) and n.name == name)
    return {
        node.name: {argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)}
        for node in found.body
        if isinstance(node, ast.FunctionDef)
    }
