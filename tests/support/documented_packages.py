"""The packages that docs/extending.md writes out, file by file."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

DOCUMENT = Path(__file__).parents[2] / "docs" / "extending.md"
_FILE = re.compile(r"^\*\*`([^`]+)`\*\*\n```[a-z]+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def files() -> dict[str, str]:
    """Each file of them, by its path."""
    return dict(_FILE.findall(DOCUMENT.read_text("utf-8")))


def written(path: str) -> str:
    """One file of them."""
    return files()[path]


def module_of(path: str) -> ModuleType:
    """One file of them as a module."""
    module = ModuleType(Path(path).stem)
    exec(compile(written(path), path, "exec"), module.__dict__)
    return module


def write_all(folder: Path) -> None:
    """Write all of them into a folder."""
    for path, text in files().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
