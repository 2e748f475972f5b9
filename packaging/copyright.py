#!/usr/bin/env python3
"""Writes what must be said of the libraries that are passed on: their licences, and where their source is to be had.

    packaging/copyright.py TITLE PLACE...

A PLACE is a wheel, a folder of wheels, or a folder in which libraries are installed. Where something has no papers it
ends with status 2 and names it: then nothing may be passed on. Wants nothing but Python 3.11.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import Distribution, PackagePath, distributions
from pathlib import Path

HERE = Path(__file__).parent
PAPER = re.compile(r"(?i)(licen[cs]e|copying|notice|copyright)")
NO_PAPER = (".py", ".pyc")
OWN = "companion-referee"
"""Its licence stands first."""
GPL_PART = "x264"
"""With it FFmpeg as a whole is under the GPL."""
INSTALLERS = ("pip", "setuptools", "wheel")
"""What venv puts into every environment, and no package of ours brings; a wheel of one is looked at."""


@dataclass(frozen=True)
class Part:
    """A compiled library in the folder ``NAME.libs`` of a wheel; licences/parts.toml says more."""

    name: str
    files: list[str]
    word: str
    licence: str
    source: str
    texts: list[str] = field(default_factory=list)


class NoPapersError(Exception):
    """Of these libraries nobody could say under which licence they are passed on."""


def parts() -> list[Part]:
    """What licences/parts.toml knows."""
    return [Part(**part) for part in tomllib.loads((HERE / "licences/parts.toml").read_text("utf-8"))["part"]]


def papers(library: Distribution) -> dict[str, str]:
    """The licences, copyrights and notices that a library brings, by their paths."""
    found = [path for path in library.files or () if PAPER.search(path.name) and path.suffix not in NO_PAPER]
    return {str(path): _text(library, path) for path in sorted(found)}


def compiled(library: Distribution) -> set[str]:
    """The names of the libraries in ``NAME.libs``, without hash and number."""
    names = {path.name for path in library.files or () if path.parent.name.endswith(".libs") and ".so" in path.name}
    return {re.sub(r"-[0-9a-f]{8}\b.*|(-[0-9.]+)?\.so\b.*", "", name) for name in names}


def whole(title: str, libraries: Iterable[Distribution]) -> str:
    """The whole text.

    Raises:
        NoPapersError: A library has no paper, or brings a part that licences/parts.toml does not know.
    """
    known = parts()
    lists: list[str] = []
    gpl: list[str] = []
    texts: dict[str, list[str]] = {}
    missing: list[str] = []
    for library in libraries:
        name = f"{library.name} {library.version}"
        own = papers(library)
        if not own:
            missing.append(f"{name} brings no licence")
        for path, text in own.items():
            texts.setdefault(text, []).append(f"{name}: {path}")
        lists.append(f"{name}\n  Licence: {_licence(library)}\n")
        said = "\n".join(own.values()).casefold()
        left = compiled(library)
        for part in known:
            here = left & set(part.files)
            if not here:
                continue
            left -= here
            if part.name == GPL_PART:
                gpl.append(name)
            if part.word not in said:
                if not part.texts:
                    missing.append(f"{part.name} in {name} has no text")
                for text in part.texts:
                    texts.setdefault((HERE / "licences" / f"{text}.txt").read_text("utf-8"), []).append(
                        f"{name}: {part.name}"
                    )
            lists.append(f"  It holds {part.name} ({', '.join(sorted(here))})\n")
            lists.append(f"    Licence: {part.licence}\n    Source: {part.source}\n")
        missing += [f"{file} in {name} is unknown" for file in sorted(left)]
    if missing:
        raise NoPapersError("; ".join(missing))
    return "".join(_document(title, gpl, lists, texts))


def _document(title: str, gpl: list[str], lists: list[str], texts: dict[str, list[str]]) -> Iterator[str]:
    yield f"{title}\n\n{(HERE.parent / 'LICENSE').read_text('utf-8').rstrip()}\n\n"
    yield (
        "That is the licence of the companion itself. The libraries below come along as their makers built them, each\n"
        "under its own licence; all texts follow. The source of a library is its source distribution on the Python\n"
        "Package Index, under the same name and version; the source of what was compiled into it is named with it.\n\n"
    )
    for name in gpl:
        yield (
            f"{name} holds FFmpeg with x264 and x265. Whoever passes it on, alone, in a package, in an image or on a\n"
            "card, does so under the GNU General Public License, version 3: with its text, and with the source or the\n"
            "way to it.\n\n"
        )
    yield "".join(lists)
    for text, owners in texts.items():
        yield f"\n{'=' * 100}\n" + "".join(f"{owner}\n" for owner in owners) + f"{'-' * 100}\n{text.rstrip()}\n"


def _licence(library: Distribution) -> str:
    metadata = library.metadata
    stated = metadata.get("License-Expression") or metadata.get("License") or ""
    first = next(iter(stated.strip().splitlines()), "")
    classes = [
        words.split(" :: ")[-1] for words in metadata.get_all("Classifier") or () if words.startswith("License ::")
    ]
    return first or ", ".join(classes) or "see its text"


def _text(library: Distribution, path: PackagePath) -> str:
    # In a wheel that is a path in a zip, which PackagePath.read_text does not read.
    where = library.locate_file(path)
    return where.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")  # type: ignore[union-attr]


def found(places: Iterable[str]) -> list[Distribution]:
    """The libraries at these places, each version once, by name."""
    every: dict[tuple[str, str], Distribution] = {}
    for place in map(Path, places):
        wheels = [place] if place.suffix == ".whl" else sorted(place.glob("*.whl"))
        for path in wheels or [place]:
            for library in distributions(path=[str(path)]):
                if library.name == OWN or (not wheels and library.name in INSTALLERS):
                    continue
                # Wheels of one version for several Pythons are told once, if they hold the same parts.
                every.setdefault((library.name.lower(), f"{library.version} {sorted(compiled(library))}"), library)
    return [every[key] for key in sorted(every)]


def main() -> int:
    title, *places = sys.argv[1:]
    try:
        sys.stdout.write(whole(title, found(places)))
    except NoPapersError as error:
        sys.stderr.write(f"Not all that is passed on has its licence (packaging/licences): {error}.\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
