"""The API's description (OpenAPI 3.1), generated from its routes and their types."""

from __future__ import annotations

import inspect
import sys
from functools import cache
from types import UnionType
from typing import Annotated, Any, TypedDict, get_args

import msgspec
from msgspec import Meta

from companion.public.service import Role
from companion.public.text import JSON
from web.api.blueprint import IN_PATH, ROUTES, ApiRoute, Media

WHY = {
    403: "Not allowed for this role, sent from another site, or with an unknown code.",
    404: "Not found.",
    409: "Out of date; the answer has the current standing.",
    413: "The body is too large.",
    415: "Not JSON.",
    422: "The body cannot be read or has wrong values.",
    429: "Too many wrong codes from this address.",
    503: "Too many streams are open, or the log cannot be written.",
}
FOR = {Role.HUB: "a hub, a seat or the host", Role.SEAT: "a seat or the host", Role.HOST: "the host"}


class ProblemDetails(TypedDict):
    """RFC 9457; an out-of-date request (409) also gets the current standing."""

    type: str
    title: str
    status: int
    detail: Annotated[str, Meta(description="Why, in the reader's language.")]


ONCE = TypedDict(
    "ONCE",
    {
        "Idempotency-Key": Annotated[
            str,
            Meta(
                max_length=200,
                pattern="^[!-~]+$",
                description="A request repeated with the same key acts once and gets the first answer again; "
                "over a restart what wrote an entry or began a match.",
            ),
        ]
    },
    total=False,
)


@cache
def document() -> dict[str, JSON]:
    """The description; all routes must be registered before."""
    forms = _Forms()
    problem = {"application/problem+json": {"schema": forms.schema(ProblemDetails)}}
    paths: dict[str, JSON] = {}
    for one in ROUTES:
        path = IN_PATH.sub(r"{\1}", f"/api{one.path}")
        paths.setdefault(path, {})[one.method.lower()] = _operation(one, forms)
    modules = sorted({one.function.__module__ for one in ROUTES})
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Companion",
            "version": "1",
            "description": "The table's scoreboard, moves and corrections. Reading the scoreboard needs no code.",
        },
        "tags": [{"name": _tag(module), "description": inspect.getdoc(sys.modules[module])} for module in modules],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(forms.named.items())),
            "responses": {str(status): {"description": why, "content": problem} for status, why in WHY.items()},
            "securitySchemes": {
                "code": {"type": "http", "scheme": "bearer", "description": "A seat's or the host's code."},
                "cookie": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "companion",
                    "description": "Pages keep it as `companion-PORT`, the port being the one that the browser asked.",
                },
            },
        },
    }


class _Forms:
    """Types as JSON schemas; those with a name are collected in ``named``."""

    def __init__(self) -> None:
        self.named: dict[str, JSON] = {}

    def schema(self, form: Any) -> JSON:
        if isinstance(form, UnionType):  # msgspec does not support such a union
            return {"anyOf": [self.schema(one) for one in get_args(form)]}
        (schema,), named = msgspec.json.schema_components((form,), ref_template="#/components/schemas/{name}")
        self.named |= named
        return schema

    def parameters(self, where: str, form: type | None) -> list[JSON]:
        """The parameters of a form for the query or the headers."""
        if form is None:
            return []
        _, named = msgspec.json.schema_components((form,))
        (members,) = named.values()
        return [
            {"name": name, "in": where, "required": name in members["required"], "schema": schema}
            for name, schema in members["properties"].items()
        ]


def _operation(one: ApiRoute, forms: _Forms) -> JSON:
    summary, _, more = (inspect.getdoc(one.function) or "").partition("\n")
    changes = one.method == "POST"
    parameters = [
        *(_in_path(name, forms.schema(one.hints[name])) for name in IN_PATH.findall(one.path)),
        *forms.parameters("query", one.query),
        *forms.parameters("header", one.headers),
        *forms.parameters("header", ONCE if changes else None),
    ]
    body = one.takes or one.body
    # Every route answers a wrong bearer code with 403, and too many of them with 429.
    usual = (403, 409, 413, 422, 429, 503, *((415,) if body else ())) if changes else (403, 429)
    answers = {str(status): {"$ref": f"#/components/responses/{status}"} for status in sorted({*usual, *one.problems})}
    file = {"type": "string", "contentMediaType": one.sends}
    answer = {one.sends: {"schema": file}} if one.sends else _json(forms.schema(one.hints["return"]))
    notes = [more.strip(), f"For {FOR[one.least]}." if one.least in FOR else ""]
    return {
        "operationId": one.function.__name__,
        "tags": [_tag(one.function.__module__)],
        "summary": summary.removesuffix("."),
        **({"description": text} if (text := "\n\n".join(filter(None, notes))) else {}),
        "parameters": parameters,
        **({"requestBody": _body(body, forms)} if body else {}),
        "responses": {"200": {"description": "Done.", "content": answer}, **answers},
        **({"security": [{"code": []}, {"cookie": []}]} if one.least in FOR else {}),
    }


def _in_path(name: str, schema: JSON) -> JSON:
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _body(body: Media | type, forms: _Forms) -> JSON:
    if not isinstance(body, Media):
        return {"required": True, "content": _json(forms.schema(body))}
    schema = {"type": "string", "format": "binary", "description": body.text}
    return {"required": body.required, "content": {kind: {"schema": schema} for kind in body.kinds}}


def _json(schema: JSON) -> JSON:
    return {"application/json": {"schema": schema}}


def _tag(module: str) -> str:
    return module.rpartition(".")[2]
