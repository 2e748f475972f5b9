"""Writes what each release of libcamera, and of Raspberry Pi's own, calls its controls and properties.

    python controls.py LIBCAMERA RASPBERRY_PI >tests/vision/camera/libcamera_controls.toml

The arguments are clones of their repositories, with tags; ``test_libcamera_controls.py`` beside the file reads it.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys

FILES = re.compile(r"src/libcamera/(control|property)_ids\w*\.yaml")
NAME = re.compile(r"^  - (\w+):$", re.MULTILINE)
VALUE = re.compile(r"^        - name: (\w+)$", re.MULTILINE)
DRAFT = re.compile(r"^      draft: true$", re.MULTILINE)
RELEASE = re.compile(r"v0\.[0-9.]+(\+rpt[0-9]+)?")
HEAD = """\
# Written by tests/tools/camera/controls.py. By release: the names of controls and properties, and of the values of an
# enumeration (AfMode.AfModeManual), that came (added) and went (removed) since the release before it. Those that are
# not settled yet stand under draft.
"""


def git(clone: str, *command: str) -> str:
    return subprocess.run(["git", "-C", clone, *command], capture_output=True, text=True, check=True).stdout


def releases(clone: str, of_raspberry_pi: bool) -> list[str]:
    """The tags of releases that have controls, the oldest first."""
    tags = [tag for tag in git(clone, "tag", "--sort=version:refname").split() if RELEASE.fullmatch(tag)]
    return [tag for tag in tags if ("+rpt" in tag) == of_raspberry_pi and names(clone, tag)]


def names(clone: str, tag: str) -> set[str]:
    found: set[str] = set()
    for file in git(clone, "ls-tree", "-r", "--name-only", tag, "src/libcamera").split():
        if not FILES.fullmatch(file):
            continue
        _, *pieces = NAME.split(git(clone, "show", f"{tag}:{file}"))
        for name, text in zip(pieces[::2], pieces[1::2], strict=True):
            full = f"draft.{name}" if file.endswith("_draft.yaml") or DRAFT.search(text) else name
            found |= {full, *(f"{full}.{value}" for value in VALUE.findall(text))}
    return found


def main() -> None:
    sys.stdout.write(HEAD)
    for maker, clone in zip(("libcamera", "raspberrypi"), sys.argv[1:], strict=True):
        before: set[str] = set()
        for tag in releases(clone, maker == "raspberrypi"):
            now = names(clone, tag)
            sys.stdout.write(f'\n[{maker}."{tag.removeprefix("v")}"]\n')
            for key, changed in (("added", now - before), ("removed", before - now)):
                if changed:
                    sys.stdout.write(f"{key} = {json.dumps(sorted(changed))}\n")
            before = now


if __name__ == "__main__":
    main()
