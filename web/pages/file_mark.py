"""Adds a content hash to the addresses of scripts and styles, so that a browser loads each version only once."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from flask import Flask
from jinja2.ext import Extension

MARKED = "companion.marked"
"""Key in the WSGI environment: the hash that a file was requested with."""

_MARKED_PATH = re.compile(r"/v-([0-9a-f]{8})(?=/(?:static|games)/)")
_ADDRESS = re.compile(r'"(?=/(?:static|games)/)')


def install_mark(app: Flask, folders: Iterable[Path]) -> None:
    """Put the hash of all files in these folders into the addresses in templates, and serve the files there.

    A script imports others by relative addresses, so these contain the hash too. Addresses without a hash, or with the
    hash of another version, lead to the same files.
    """
    mark = app.config["FILE_MARK"] = _mark_of(tuple(folders))

    class Marking(Extension):
        def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002  # as Jinja calls it
            return _ADDRESS.sub(f'"/v-{mark}', source)

    app.jinja_env.add_extension(Marking)
    app.wsgi_app = _without_mark(app.wsgi_app)  # type: ignore[method-assign]


def _without_mark(serve: Callable[..., Any]) -> Callable[..., Any]:
    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        path = environ.get("PATH_INFO", "")
        if marked := _MARKED_PATH.match(path):
            environ[MARKED] = marked[1]
            environ["PATH_INFO"] = path[marked.end() :]
        return serve(environ, start_response)

    return answer


@cache
def _mark_of(folders: tuple[Path, ...]) -> str:
    files = (file for folder in folders for file in sorted(folder.rglob("*")) if file.is_file())
    content = hashlib.sha256()
    for file in files:
        content.update(f"{file.name}\0{file.stat().st_size}\0".encode() + file.read_bytes())
    return content.hexdigest()[:8]
