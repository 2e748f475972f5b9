"""Reads the body of a request: a JSON object of the given form, or a sentence that says what is wrong with it."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Any, NotRequired, TypeAlias, Union, get_args, get_origin, get_type_hints, is_typeddict

from flask import Request

from companion.errors import InputError
from companion.public.text import Text, fault_text
from companion.reading.text import parse_json
from web.middleware.problems import Problem

NAMES = {str: "text", int: "number", dict: "object", list: "list", bool: "bool"}
LARGEST = 2**53

BodyKeys: TypeAlias = dict[str, tuple[type, bool]]
"""The keys of a body, each with its JSON type and whether it is required."""


def body_keys(form: type) -> BodyKeys:
    """The keys of a form, a class with annotations.

    A key that is ``NotRequired`` or whose type includes ``None`` may be missing or ``null``. Keys of type ``Any`` are
    not checked and left out.

        >>> body_keys(type("Join", (), {"__annotations__": {"code": str, "seat": int | None}}))
        {'code': (<class 'str'>, True), 'seat': (<class 'int'>, False)}
    """
    marked, keys = get_type_hints(form, include_extras=True), {}
    for key, hint in get_type_hints(form).items():
        options = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        kind = dict if is_typeddict(options[0]) else get_origin(options[0]) or options[0]
        if kind in NAMES:
            keys[key] = kind, NoneType not in options and get_origin(marked[key]) is not NotRequired
    return keys


def json_body(asking: Request, keys: BodyKeys) -> dict[str, Any]:
    """The body with its known keys checked. Other keys, and the content of objects, are left to the caller.

    Raises:
        Problem: 415 for another content type, 422 for everything else.
    """
    if asking.mimetype != "application/json":
        raise Problem(415, Text("problem.json"))
    try:
        body = parse_json(asking.get_data())
    except InputError as wrong:
        raise Problem(422, Text("problem.no_json", {"why": fault_text(wrong.faults[0])})) from None
    if not isinstance(body, dict):
        raise Problem(422, Text("problem.object"))
    for key, (kind, required) in keys.items():
        value = body.get(key)
        if (required or value is not None) and not _is(value, kind):
            wrong_key = {"key": key, "kind": Text(f"problem.kind.{NAMES[kind]}")}
            raise Problem(422, Text("problem.missing" if required else "problem.wrong", wrong_key))
    return body


def _is(value: object, kind: type) -> bool:
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) < LARGEST
    return isinstance(value, kind)
