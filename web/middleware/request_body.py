"""Reads the body of a request: a JSON object with these keys, or a sentence about what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from flask import Request

from companion.public.text import Text
from web.middleware.problems import Problem

NAMES = {str: "text", int: "number", dict: "object", list: "list"}
LARGEST = 2**53


def json_body(asking: Request, *needed: str | type, **optional: type) -> Mapping[str, Any]:
    """The body, its known keys checked; others are left to whoever reads further.

    Args:
        asking: The request.
        needed: Keys and their types in turn: ``"question", int, "answer", int``.
        optional: Further keys, which may lack or be ``null``.

    Raises:
        Problem: 415 for another content type, 422 for everything else.
    """
    if asking.mimetype != "application/json":
        raise Problem(415, Text("problem.json"))
    try:
        body = json.loads(asking.get_data(), parse_constant=_refuse)
        json.dumps(body, ensure_ascii=False).encode()
    except RecursionError:
        raise Problem(422, Text("problem.nested")) from None
    except ValueError as wrong:
        raise Problem(422, Text("problem.no_json", {"why": _tidy(wrong)})) from None
    if not isinstance(body, dict):
        raise Problem(422, Text("problem.object"))
    for key, kind in zip(needed[::2], needed[1::2], strict=True):
        if not _is(body.get(str(key)), kind):
            kind_of = Text(f"problem.kind.{NAMES[kind]}")  # type: ignore[index]
            raise Problem(422, Text("problem.missing", {"key": key, "kind": kind_of}))
    for key, kind in optional.items():
        if body.get(key) is not None and not _is(body[key], kind):
            raise Problem(422, Text("problem.wrong", {"key": key, "kind": Text(f"problem.kind.{NAMES[kind]}")}))
    return body


def _is(value: object, kind: object) -> bool:
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) < LARGEST
    return isinstance(value, kind)  # type: ignore[arg-type]


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON number")


def _tidy(wrong: ValueError) -> str:
    return "it is no UTF-8" if isinstance(wrong, UnicodeError) else str(wrong).rstrip(".")
