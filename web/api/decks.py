"""The table's own decks over HTTP, and the pictures of their cards."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Response, g, request

from companion.public.decks import DECK_NAME
from companion.public.service import Done, Role
from companion.public.text import JSON
from web.api.blueprint import api, to_response
from web.middleware.access import PICTURE_LIMIT, role
from web.middleware.context import context, current_user, render, services
from web.middleware.problems import Problem
from web.middleware.request_body import json_body


@api.get("/v1/decks")
@role(Role.HOST)
def decks() -> JSON:
    """The table's own decks."""
    return {"decks": list(services().decks.summaries())}


@api.post("/v1/decks")
@role(Role.HOST)
def save_deck() -> Response:
    """Keep a deck as typed, and say what is wrong with it and what is missing."""
    typed = json_body(request, required={"name": str, "deck": dict})
    result = services().decks.save_deck(current_user(), typed["name"], typed["deck"])
    if isinstance(result, Done):
        lists = {key: _faults(result.value[key]) for key in ("faults", "open")}
        result = Done({**result.value, **lists})
    return to_response(result)


@api.get("/v1/decks/<name>/deck.csv")
@role(Role.HOST)
def spreadsheet(name: str) -> Response:
    """A deck as a spreadsheet; ``separator=semicolon`` with French heads, as a French Excel reads it."""
    french = request.args.get("separator", "semicolon" if g.language == "fr" else "comma") == "semicolon"
    content = services().decks.spreadsheet(name, "fr" if french else "en")
    if content is None:
        raise Problem(404, context().translator.word("problem.404", g.language))
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return Response(content, content_type="text/csv; charset=utf-8", headers=headers)


@api.post("/v1/decks/<name>/deck.csv")
@role(Role.HOST)
def read_spreadsheet(name: str) -> Response:
    """The deck that a spreadsheet holds; nothing is kept."""
    if request.mimetype not in ("text/csv", "application/octet-stream"):
        raise Problem(415, context().translator.word("deck.csv.kind", g.language))
    if not DECK_NAME.fullmatch(name):
        raise Problem(404, context().translator.word("deck.name.text", g.language))
    return to_response(services().decks.read_spreadsheet(current_user(), name, request.get_data()))


@api.get("/v1/decks/<name>/graph.svg")
@role(Role.HOST)
def graph(name: str) -> Response:
    """Which card needs which."""
    drawn = services().decks.graph(name, g.language)
    if drawn is None:
        raise Problem(404, context().translator.word("problem.404", g.language))
    return Response(drawn, content_type="image/svg+xml")


@api.get("/v1/decks/<name>/pictures/<card>")
@role(Role.SEAT)
def portrait(name: str, card: str) -> Response:
    """The picture of a card, as somebody took it with a phone."""
    picture = services().decks.card_picture(name, card)
    if picture is None:
        raise Problem(404, context().translator.word("problem.404", g.language))
    return Response(picture, content_type="image/jpeg")


@api.post("/v1/decks/<name>/pictures/<card>")
@role(Role.HOST, body_limit=PICTURE_LIMIT)
def keep_portrait(name: str, card: str) -> Response:
    """Keep a picture of a card: the body is the file as the phone has it."""
    if not (request.mimetype.startswith("image/") or request.mimetype == "application/octet-stream"):
        raise Problem(415, context().translator.word("picture.kind", g.language))
    return to_response(services().decks.keep_card_picture(current_user(), name, card, request.get_data()))


@api.post("/v1/decks/<name>/pictures/<card>/delete")
@role(Role.HOST)
def forget_portrait(name: str, card: str) -> Response:
    """Delete the picture of a card."""
    return to_response(services().decks.delete_card_picture(current_user(), name, card))


@api.get("/v1/decks/<name>/readings")
@role(Role.HOST)
def readings(name: str) -> JSON:
    """What is proposed for each card that was read from photographs."""
    proposed = services().photos.proposals(current_user(), name, services().decks.deck(name))
    if proposed is None or not DECK_NAME.fullmatch(name):
        raise Problem(404, context().translator.word("problem.404", g.language))
    return proposed


@api.post("/v1/decks/<name>/readings")
@role(Role.HOST, body_limit=PICTURE_LIMIT)
def read_photo(name: str) -> Response:
    """Read cards: the body is a photograph; without one, with ``?from=camera``, the camera's picture is read."""
    if not DECK_NAME.fullmatch(name):
        raise Problem(404, context().translator.word("deck.name.text", g.language))
    picture = None
    if request.args.get("from") != "camera":
        if not (request.mimetype.startswith("image/") or request.mimetype == "application/octet-stream"):
            raise Problem(415, context().translator.word("picture.kind", g.language))
        picture = request.get_data()
    return to_response(services().photos.take(current_user(), name, picture, request.args.get("layout", "box")))


@api.get("/v1/decks/<name>/readings/<card>/<piece>.jpg")
@role(Role.HOST)
def reading_piece(name: str, card: str, piece: str) -> Response:
    """A piece of a card that was read: its title, its prerequisites or its symbol."""
    picture = services().photos.piece(current_user(), name, card, piece)
    if picture is None:
        raise Problem(404, context().translator.word("problem.404", g.language))
    return Response(picture, content_type="image/jpeg")


@api.post("/v1/decks/<name>/readings/<card>/delete")
@role(Role.HOST)
def forget_reading(name: str, card: str) -> Response:
    """Let the reading of a card go."""
    return to_response(services().photos.forget(current_user(), name, card))


def _faults(faults: Iterable[JSON]) -> list[JSON]:
    return [{**one, "what": render(one["what"])} for one in faults]
