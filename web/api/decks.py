"""The host's shelf over HTTP: rematch, delete and get back, import, and the table's own decks."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Response, g, request

from companion.public.service import Reply
from companion.public.text import JSON, Text
from web.api.blueprint import api, render, to_response
from web.middleware.context import context, current_user
from web.middleware.problems import Problem
from web.middleware.request_body import json_body


@api.get("/v1/decks")
def decks() -> JSON:
    """The table's own decks."""
    return {"decks": list(context().desk.decks(current_user()))}


@api.post("/v1/decks")
def save_deck() -> Response:
    """Keep a deck as typed, and say what is wrong with it and what is missing."""
    typed = json_body(request, "name", str, "deck", dict)
    reply = context().desk.save_deck(current_user(), typed["name"], typed["deck"])
    if reply.status != 200:
        return to_response(reply)
    return to_response(Reply(200, {**reply.body, **{kind: _faults(reply.body[kind]) for kind in ("faults", "open")}}))


@api.get("/v1/decks/<name>/pictures/<card>")
def portrait(name: str, card: str) -> Response:
    """The picture of a card, as somebody took it with a phone."""
    picture = context().desk.portrait(current_user(), name, card)
    if picture is None:
        raise Problem(404, context().voice.word("problem.404", g.language))
    return Response(picture, content_type="image/jpeg")


@api.post("/v1/decks/<name>/pictures/<card>")
def keep_portrait(name: str, card: str) -> Response:
    """Keep a picture of a card: the body is the file as the phone has it."""
    if not (request.mimetype.startswith("image/") or request.mimetype == "application/octet-stream"):
        raise Problem(415, context().voice.word("picture.kind", g.language))
    return to_response(context().desk.keep_portrait(current_user(), name, card, request.get_data()))


@api.post("/v1/decks/<name>/pictures/<card>/delete")
def forget_portrait(name: str, card: str) -> Response:
    """Delete the picture of a card."""
    return to_response(context().desk.forget_portrait(current_user(), name, card))


def _faults(faults: Iterable[JSON]) -> list[JSON]:
    return [{**one, "what": render(one["what"]) if isinstance(one["what"], Text) else one["what"]} for one in faults]
