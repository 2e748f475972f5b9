"""The API's description (OpenAPI 3.1), written by hand and held to the routes by the tests."""

from __future__ import annotations

from companion.game import JSON
from web.schemas import (
    AFTER,
    BOX,
    CORRECTION,
    DECK,
    DOCTOR,
    INTEGER,
    INVITATION,
    MATCH,
    MOVE,
    OFFER,
    SCHEMAS,
    SEAT,
    SEATED,
    TEXT,
    ZONES,
    ZONES_SAID,
)
from web.schemas import object_of as _object
from web.schemas import ref as _ref


def _content(schema: JSON, kind: str = "application/json") -> JSON:
    return {kind: {"schema": schema}}


def _problem(description: str) -> JSON:
    return {"description": description, "content": _content(_ref("Problem"), "application/problem+json")}


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


def _get(summary: str, schema: JSON, *problems: str, kind: str = "application/json", role: str = "") -> JSON:
    # A bearer of a wrong code is told so everywhere, and is slowed down when he keeps trying.
    answers = {code: _problem(WHY[code]) for code in sorted({"403", "429", *problems})}
    return {
        "summary": summary,
        "responses": {"200": {"description": "Done.", "content": _content(schema, kind)}, **answers},
        **_secured(role),
    }


def _post(summary: str, body: JSON | None, schema: JSON, *problems: str, role: str = "") -> JSON:
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


def _last_event_id() -> list[JSON]:
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


def _place(name: str) -> JSON:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "integer", "minimum": 1}}


def _with(parameter: JSON) -> dict[str, JSON]:
    return {"parameters": [parameter, *_post("", None, None)["parameters"]]}


def document() -> JSON:
    """The description."""
    match_id = {"name": "match_id", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
    seat = _object(
        "match number role seat offers view seats",
        match={"type": ["string", "null"]},
        number=INTEGER,
        role=TEXT,
        seat=SEAT,
        offers={"type": "array", "items": OFFER, "description": "Any combination of the choices is a lawful move."},
        view={"description": "The table as this seat may see it, in the game's own shape."},
        seats={"type": "array", "items": SEATED},
    )
    paths: dict[str, JSON] = {
        "/api/openapi.json": {"get": _get("This document", {"type": "object"})},
        "/api/v1/standing": {"get": _get("How it stands", _ref("News"))},
        "/api/v1/events": {
            "get": {
                **_get("How it stands, then everything that comes", TEXT, "503", kind="text/event-stream"),
                "parameters": _last_event_id(),
            }
        },
        "/api/v1/match": {"get": _get("The running match", _object("match", match={"type": ["object", "null"]}))},
        "/api/v1/health": {"get": _get("Whether everything works", {"type": "object"})},
        "/api/v1/join": {"post": _post("Become a seat or the host", _object("code", code=TEXT), _ref("Welcome"))},
        "/api/v1/leave": {
            "post": _post("Forget who this browser was", None, _object("role seat", role=TEXT, seat=SEAT))
        },
        "/api/v1/host": {"post": _post("Become the host of a box that looks for one", None, _ref("Welcome"))},
        "/api/v1/seat": {"get": _get("Who I am, what I see, what I may say", seat, role="a seat or the host")},
        "/api/v1/invitations": {
            "get": _get(
                "The codes that I may hand out",
                _object("invitations", invitations={"type": "array", "items": INVITATION}),
                role="a seat or the host",
            )
        },
        "/api/v1/moves": {
            "post": _post(
                "Say a move", _object("move", move=MOVE, after=AFTER), _ref("Entry"), "404", role="a seat or the host"
            )
        },
        "/api/v1/corrections": {
            "post": _post(
                "Put something right", CORRECTION, _ref("Entry"), "404", role="a seat (undo, claim) or the host"
            )
        },
        "/api/v1/answers": {
            "post": _post(
                "Answer an open question",
                _object("question answer", question=INTEGER, answer={"type": "integer", "minimum": 0}),
                _ref("Entry"),
                "404",
                role="a seat or the host",
            )
        },
        "/api/v1/matches": {
            "get": _get(
                "The stored matches, newest first",
                _object("matches", matches={"type": "array", "items": {"type": "object"}}),
            ),
            "post": _post(
                "Begin a match and close the running one",
                _object(
                    "match", match={"type": "object", "description": "A match file (contract, section 6) as JSON."}
                ),
                {"type": ["object", "null"]},
                "404",
                role="the host",
            ),
        },
        "/api/v1/matches/{match_id}/record": {
            "get": {**_get("A match's record", TEXT, "404", kind="application/jsonl"), "parameters": [match_id]}
        },
        "/api/v1/matches/{match_id}/figures": {
            "get": {**_get("How well a match was refereed", _ref("Figures"), "404"), "parameters": [match_id]}
        },
        "/api/v1/matches/{match_id}/pictures/{number}/{place}": {
            "get": {
                **_get(
                    "A picture that was kept of an entry, the oldest first",
                    {"type": "string", "contentMediaType": "image/jpeg"},
                    "404",
                    kind="image/jpeg",
                ),
                "parameters": [match_id, _place("number"), _place("place")],
            },
        },
        "/api/v1/matches/{match_id}/delete": {
            "post": {**_post("Delete a stored match", None, MATCH, "404", role="the host"), **_with(match_id)}
        },
        "/api/v1/matches/{match_id}/restore": {
            "post": {**_post("Get a deleted match back", None, MATCH, "404", role="the host"), **_with(match_id)}
        },
        "/api/v1/records": {
            "post": _post("Store a record as a finished match", _object("record", record=TEXT), MATCH, role="the host")
        },
        "/api/v1/rematch": {
            "post": _post("The same seats again, the next dealer", None, MATCH, "404", role="the host")
        },
        "/api/v1/decks": {
            "get": _get("The table's own decks", _object("decks", decks={"type": "array"}), role="the host"),
            "post": _post(
                "Keep a deck as typed; what is wrong and what is missing",
                _object("name deck", name=TEXT, deck={"type": "object"}),
                DECK,
                "404",
                role="the host",
            ),
        },
        "/api/v1/box": {
            "get": _get("What this box can do", BOX, role="the host"),
            "post": _post(
                "Light the lamp, be quiet, switch off",
                _object("do", do={"enum": ["mute", "unmute", "night", "day", "lamp", "shut-down"]}),
                BOX,
                "404",
                role="the host",
            ),
        },
        "/api/v1/doctor": {
            "get": _get("What is well and what is not, as `companion doctor` says it", DOCTOR, "404", role="the host")
        },
        "/api/v1/stickers.pdf": {
            "get": {
                **_get(
                    "Stickers and tags to print",
                    {"type": "string", "contentMediaType": "application/pdf"},
                    "404",
                    "422",
                    kind="application/pdf",
                    role="the host",
                ),
                "parameters": [
                    {"name": "size", "in": "query", "description": "Millimetres.", "schema": {"type": "number"}},
                    {"name": "paper", "in": "query", "schema": {"enum": ["a4", "letter"]}},
                    {"name": "deck", "in": "query", "description": "A deck of this table.", "schema": TEXT},
                ],
            }
        },
        "/api/v1/zones": {
            "get": _get("The zones that the camera goes by", ZONES, "404", role="the host"),
            "post": _post("Keep other zones", _object("table", table=ZONES_SAID), ZONES, "404", role="the host"),
        },
        "/api/v1/camera.jpg": {
            "get": {
                **_get(
                    "The camera's last picture",
                    {"type": "string", "contentMediaType": "image/jpeg"},
                    "404",
                    kind="image/jpeg",
                    role="the host",
                ),
                "parameters": [
                    {
                        "name": "straight",
                        "in": "query",
                        "description": "With any value: seen from above, a pixel for a millimetre, 30 mm around.",
                        "schema": TEXT,
                    }
                ],
            }
        },
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Companion",
            "version": "1",
            "description": "The table's scoreboard, moves and corrections. Reading the scoreboard needs no code.",
        },
        "paths": paths,
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {
                "code": {"type": "http", "scheme": "bearer", "description": "A seat's or the host's code."},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "companion"},
            },
        },
    }
