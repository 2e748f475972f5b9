"""How one operation of the API is described: what it takes, what it answers, for whom it is."""

from __future__ import annotations

from companion.public.text import JSON
from web.api.openapi.schemas import INTEGER, TEXT, ref


def _content(schema: JSON, kind: str = "application/json") -> JSON:
    return {kind: {"schema": schema}}


def _problem(description: str) -> JSON:
    return {"description": description, "content": _content(ref("Problem"), "application/problem+json")}


WHY = {
    "403": "Not for this role, from another site, or with nobody's code.",
    "404": "There is no such thing.",
    "409": "Stale: it has moved on since; the fresh standing is in the answer.",
    "413": "Too much.",
    "415": "Not JSON.",
    "422": "The body cannot be read or does not say what is wanted.",
    "429": "Too many wrong codes from this address.",
    "503": "Too many streams are open, or nothing can be written down now.",
}


def get(summary: str, schema: JSON, *problems: str, kind: str = "application/json", role: str = "") -> JSON:
    """An operation that only reads; ``problems`` are the further statuses that it may answer with."""
    # A bearer of a wrong code is told so everywhere, and is slowed down when he keeps trying.
    answers = {code: _problem(WHY[code]) for code in sorted({"403", "429", *problems})}
    return {
        "summary": summary,
        "responses": {"200": {"description": "Done.", "content": _content(schema, kind)}, **answers},
        **_secured(role),
    }


def get_file(summary: str, kind: str, *problems: str, role: str = "") -> JSON:
    """An operation that reads a file of this media type, which may not be there."""
    return get(summary, {"type": "string", "contentMediaType": kind}, "404", *problems, kind=kind, role=role)


def post(summary: str, body: JSON | None, schema: JSON, *problems: str, role: str = "") -> JSON:
    """An operation that changes something; without a ``body`` it takes none."""
    common = ("403", "409", "413", "422", "429", "503", *(("415",) if body else ()))
    answers = {code: _problem(WHY[code]) for code in sorted({*common, *problems})}
    wanted = {"requestBody": {"required": True, "content": _content(body)}} if body else {}
    return {
        "summary": summary,
        "parameters": [
            {
                "name": "Idempotency-Key",
                "in": "header",
                "description": "A request repeated with the same key acts once and gets the first answer again.",
                "schema": {"type": "string", "maxLength": 200, "pattern": "^[!-~]+$"},
            }
        ],
        **wanted,
        "responses": {"200": {"description": "Done.", "content": _content(schema)}, **answers},
        **_secured(role),
    }


def _secured(role: str) -> JSON:
    return {"security": [{"code": []}, {"cookie": []}], "description": f"For {role}."} if role else {}


def last_event_id() -> list[JSON]:
    """How a stream is asked to go on where it broke off."""
    seen = "The last entry that was seen: what came since is told, then all that comes."
    return [
        {"name": "Last-Event-ID", "in": "header", "description": seen, "schema": {"type": "integer", "minimum": 0}},
        {"name": "after", "in": "query", "description": "The same, for who cannot set headers.", "schema": INTEGER},
        {
            "name": "match",
            "in": "query",
            "description": "The match that the entry belongs to; another than the running one gets the standing.",
            "schema": TEXT,
        },
    ]


def place(name: str) -> JSON:
    """A number in the path, from 1."""
    return {"name": name, "in": "path", "required": True, "schema": {"type": "integer", "minimum": 1}}


def named(*parameters: JSON) -> dict[str, JSON]:
    """The parameters of something that is changed by its name in the path."""
    return {"parameters": [*parameters, *post("", None, None)["parameters"]]}
