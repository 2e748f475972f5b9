"""The table's own decks, and the pictures of their cards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from flask import Response, g, request
from msgspec import Meta

from companion.public.card_reading import LAYOUTS
from companion.public.decks import CARD_ID, DECK_NAME
from companion.public.results import CardsRead, DeckCard, DeckLine, DeckRemark, ReadCards, ReadDeck, ReadingGone
from companion.public.service import Role
from web.api.blueprint import Media, one_of, route, value_of
from web.middleware.access import PICTURE_LIMIT
from web.middleware.context import context, current_user, render, services
from web.middleware.problems import Problem

PHOTOGRAPH = Media("JPEG, PNG or WebP; 12 MB at most.", ("image/jpeg", "application/octet-stream"), PICTURE_LIMIT)
SPREADSHEET = Media("CSV; 128 kB at most.", ("text/csv",))
DeckName = Annotated[str, Meta(pattern=f"^{DECK_NAME.pattern}$")]
CardInPath = Annotated[str, Meta(pattern=f"^{CARD_ID.pattern}$")]


class DeckLines(TypedDict):
    """The table's own decks."""

    decks: list[DeckLine]


class DeckFault(TypedDict):
    """An error or a gap in a deck, and its place."""

    what: str
    where: list[str | int]


class CheckedDeck(TypedDict):
    """The errors and gaps of a deck as entered; ``drawn``: for games of tiles, each as in a match's ``things``, null if
    incomplete."""

    name: str
    file: str
    entered: int
    faults: list[DeckFault]
    open: list[DeckFault]
    drawn: NotRequired[list[dict[str, Any] | None]]


class SpreadsheetQuery(TypedDict, total=False):
    """The format of a spreadsheet."""

    separator: Literal["comma", "semicolon"]


class EncodingQuery(TypedDict, total=False):
    """The encoding of a spreadsheet that is neither UTF-8 nor UTF-16."""

    encoding: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,40}$")]


PhotographQuery = TypedDict(
    "PhotographQuery", {"layout": Annotated[str, one_of(*LAYOUTS)], "from": Literal["camera"]}, total=False
)


@route("GET", "/v1/decks", Role.HOST)
def decks() -> DeckLines:
    """The table's own decks."""
    return {"decks": list(services().decks.summaries())}


@route("POST", "/v1/decks", Role.HOST, problems=(404,))
def save_deck(name: str, deck: Annotated[dict[str, Any], Meta(description="A deck file as JSON.")]) -> CheckedDeck:
    """Store a deck as entered, and list its errors and gaps."""
    checked = value_of(services().decks.save_deck(current_user(), name, deck))
    rendered: CheckedDeck = {**checked, "faults": _faults(checked["faults"]), "open": _faults(checked["open"])}
    return rendered


@route("GET", "/v1/decks/<name>/deck.csv", Role.HOST, sends="text/csv", query=SpreadsheetQuery, problems=(404,))
def spreadsheet(name: DeckName) -> Response:
    """A deck as a spreadsheet.

    ``separator=semicolon`` with French headings, as a French Excel reads it; without it, by the reader's language.
    """
    french = request.args.get("separator", "semicolon" if g.language == "fr" else "comma") == "semicolon"
    content = services().decks.spreadsheet(name, "fr" if french else "en")
    if content is None:
        raise Problem(404, context().translator.word("problem.404", g.language))
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return Response(content, content_type="text/csv; charset=utf-8", headers=headers)


@route("POST", "/v1/decks/<name>/deck.csv", Role.HOST, takes=SPREADSHEET, query=EncodingQuery, problems=(404,))
def read_spreadsheet(name: DeckName) -> ReadDeck:
    """Read a deck from a spreadsheet, without storing it.

    Without ``encoding``, of a file that is neither UTF-8 nor UTF-16 the answer is the first words in each possible one.
    """
    if request.mimetype not in ("text/csv", "application/octet-stream"):
        raise Problem(415, context().translator.word("deck.csv.kind", g.language))
    if not DECK_NAME.fullmatch(name):
        raise Problem(404, context().translator.word("deck.name.text", g.language))
    encoding = request.args.get("encoding", "")
    return value_of(services().decks.read_spreadsheet(current_user(), name, request.get_data(), encoding))


@route("GET", "/v1/decks/<name>/pictures/<card>", Role.SEAT, sends="image/jpeg", problems=(404,))
def portrait(name: DeckName, card: CardInPath) -> Response:
    """The photo of a card."""
    picture = services().decks.card_picture(name, card)
    if picture is None:
        raise Problem(404, context().translator.word("problem.404", g.language))
    return Response(picture, content_type="image/jpeg")


@route("POST", "/v1/decks/<name>/pictures/<card>", Role.HOST, takes=PHOTOGRAPH, problems=(404,))
def keep_portrait(name: DeckName, card: CardInPath) -> DeckCard:
    """Store a photo of a card, reduced in size; the body is the phone's file.

    A JPEG with 800 pixels at most on a side is kept, and nothing else of the file. 422: damaged, or more than 64
    million pixels (16 million where it is not a baseline JPEG). It goes when the deck is kept without that card.
    """
    if not (request.mimetype.startswith("image/") or request.mimetype == "application/octet-stream"):
        raise Problem(415, context().translator.word("picture.kind", g.language))
    return value_of(services().decks.keep_card_picture(current_user(), name, card, request.get_data()))


@route("POST", "/v1/decks/<name>/pictures/<card>/delete", Role.HOST, problems=(404,))
def forget_portrait(name: DeckName, card: CardInPath) -> DeckCard:
    """Delete the photo of a card."""
    return value_of(services().decks.delete_card_picture(current_user(), name, card))


@route("GET", "/v1/decks/<name>/readings", Role.HOST, problems=(404,))
def readings(name: DeckName) -> ReadCards:
    """The proposals for cards that were read from photographs."""
    proposed = services().photos.proposals(current_user(), name, services().decks.deck(name))
    if proposed is None or not DECK_NAME.fullmatch(name):
        raise Problem(404, context().translator.word("problem.404", g.language))
    return proposed


@route(
    "POST",
    "/v1/decks/<name>/readings",
    Role.HOST,
    takes=replace(PHOTOGRAPH, required=False),
    query=PhotographQuery,
    problems=(404,),
)
def read_photo(name: DeckName) -> CardsRead:
    """Read the cards of a photograph or of the camera's picture, without changing the deck.

    The body is the photograph; without one, with ``?from=camera``, the camera's picture is read.

    ``layout=box`` for the game's cards, ``printed`` for the companion's. Readings of three decks are held until the
    companion ends.
    """
    if not DECK_NAME.fullmatch(name):
        raise Problem(404, context().translator.word("deck.name.text", g.language))
    picture = None
    if request.args.get("from") != "camera":
        if not (request.mimetype.startswith("image/") or request.mimetype == "application/octet-stream"):
            raise Problem(415, context().translator.word("picture.kind", g.language))
        picture = request.get_data()
    return value_of(services().photos.take(current_user(), name, picture, request.args.get("layout", "box")))


@route("GET", "/v1/decks/<name>/readings/<card>/<piece>.jpg", Role.HOST, sends="image/jpeg", problems=(404,))
def reading_piece(name: DeckName, card: CardInPath, piece: Literal["title", "needs", "symbol"]) -> Response:
    """A detail of a card that was read: its title, its prerequisites or its symbol."""
    picture = services().photos.piece(current_user(), name, card, piece)
    if picture is None:
        raise Problem(404, context().translator.word("problem.404", g.language))
    return Response(picture, content_type="image/jpeg")


@route("POST", "/v1/decks/<name>/readings/<card>/delete", Role.HOST, problems=(404,))
def forget_reading(name: DeckName, card: CardInPath) -> ReadingGone:
    """Delete the reading of a card."""
    return value_of(services().photos.forget(current_user(), name, card))


def _faults(faults: Iterable[DeckRemark]) -> list[DeckFault]:
    return [{"what": render(one["what"]), "where": one["where"]} for one in faults]
