"""The API's description (OpenAPI 3.1), written by hand and held to the routes by the tests."""

from __future__ import annotations

from companion.public.card_reading import LAYOUTS
from companion.public.machine import PRINTABLE
from companion.public.text import JSON
from web.api.openapi.operations import get, get_file, last_event_id, named, place, post
from web.api.openapi.schemas import (
    AFTER,
    BOX,
    BOX_CHECK,
    BOX_SIGHT,
    CORRECTION,
    DECK,
    DECK_CARD,
    DOCTOR,
    EYE,
    EYE_PHONE,
    EYE_PICTURE,
    GESTURE,
    HUB,
    INTEGER,
    INVITATION,
    MATCH,
    MOVE,
    OFFER,
    PICTURE,
    PORTRAIT,
    READINGS,
    RECORDING,
    RECORDING_SAID,
    RESTORE,
    RESTORE_BODY,
    RESTORE_PIECE,
    RESTORE_SAID,
    SCHEMAS,
    SEAT,
    SEATED,
    SPREADSHEET,
    TEXT,
    UPDATE,
    VISIT,
    WIFI,
    WIFI_SAID,
    ZONES,
    ZONES_SAID,
)
from web.api.openapi.schemas import object_of as _object
from web.api.openapi.schemas import ref as _ref

BOX_DOES = ["mute", "unmute", "night", "day", "lamp", "shut-down", "name", "tell-names", "keep-names"]
HUB_DOES = ["open", "close", "allow", "forbid"]


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
        "/api/openapi.json": {"get": get("This document", {"type": "object"})},
        "/api/v1/standing": {"get": get("How it stands", _ref("News"))},
        "/api/v1/events": {
            "get": {
                **get("How it stands, then everything that comes", TEXT, "503", kind="text/event-stream"),
                "parameters": last_event_id(),
            }
        },
        "/api/v1/match": {"get": get("The running match", _object("match", match={"type": ["object", "null"]}))},
        "/api/v1/health": {"get": get("Whether everything works", {"type": "object"})},
        "/api/v1/join": {"post": post("Become a seat or the host", _object("code", code=TEXT), _ref("Welcome"))},
        "/api/v1/leave": {
            "post": post("Forget who this browser was", None, _object("role seat", role=TEXT, seat=SEAT))
        },
        "/api/v1/host": {"post": post("Become the host of a box that looks for one", None, _ref("Welcome"))},
        "/api/v1/seat": {"get": get("Who I am, what I see, what I may say", seat, role="a seat or the host")},
        "/api/v1/invitations": {
            "get": get(
                "The codes that I may hand out",
                _object("invitations", invitations={"type": "array", "items": INVITATION}),
                role="a seat or the host",
            ),
            "post": post(
                "Make new codes, by which the old ones open nothing",
                _object("renew", renew={"enum": ["seat", "host", "all"]}, seat=SEAT),
                _object("invitations", invitations={"type": "array", "items": INVITATION}),
                "404",
                role="the host",
            ),
        },
        "/api/v1/moves": {
            "post": post(
                "Say a move",
                _object("move", move=MOVE, after=AFTER, match=TEXT),
                _ref("Entry"),
                "404",
                role="a seat or the host",
            )
        },
        "/api/v1/corrections": {
            "post": post(
                "Put something right", CORRECTION, _ref("Entry"), "404", role="a seat (undo, claim) or the host"
            )
        },
        "/api/v1/answers": {
            "post": post(
                "Answer an open question",
                _object("question answer", question=INTEGER, answer={"type": "integer", "minimum": 0}, match=TEXT),
                _ref("Entry"),
                "404",
                role="a seat, the host, or a hub that the host allows to",
            )
        },
        "/api/v1/hub/join": {
            "post": post(
                "Become the hub of this table",
                _object("code", code=TEXT),
                _object("code id name", code=TEXT, id=TEXT, name=TEXT),
            )
        },
        "/api/v1/hub": {
            "get": get("What a hub may do here", HUB, role="a hub, a seat or the host"),
            "post": post(
                "Draw the code for a hub or take it back; allow or forbid it to answer",
                _object("do", do={"enum": HUB_DOES}),
                HUB,
                "404",
                role="the host",
            ),
        },
        "/api/v1/simulated/seat": {
            "get": get("Whether I play my simulated seat, and what it holds", VISIT, "404", "409", role="a seat"),
            "post": post(
                "Take my seat of the simulated table into my own hands, or give it back",
                _object("playing", playing={"type": "boolean"}),
                VISIT,
                "404",
                role="a seat",
            ),
        },
        "/api/v1/simulated/acts": {
            "post": post(
                "Have my hand do something on the simulated table; the camera sees it, and the referee judges it",
                GESTURE,
                _object("waiting", waiting=INTEGER),
                "404",
                role="a seat",
            )
        },
        "/api/v1/matches": {
            "get": get(
                "The stored matches, newest first",
                _object("matches", matches={"type": "array", "items": {"type": "object"}}),
            ),
            "post": post(
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
            "get": {**get("A match's record", TEXT, "404", kind="application/jsonl"), "parameters": [match_id]}
        },
        "/api/v1/matches/{match_id}/figures": {
            "get": {**get("How well a match was refereed", _ref("Figures"), "404"), "parameters": [match_id]}
        },
        "/api/v1/matches/{match_id}/pictures/{number}/{place}": {
            "get": {
                **get_file("A picture that was kept of an entry, the oldest first", "image/jpeg"),
                "parameters": [match_id, place("number"), place("place")],
            },
        },
        "/api/v1/matches/{match_id}/close": {
            "post": {**post("Close an interrupted match", None, MATCH, "404", role="the host"), **named(match_id)}
        },
        "/api/v1/matches/{match_id}/go-on": {
            "post": {
                **post(
                    "Go on with an interrupted match instead of the running one", None, MATCH, "404", role="the host"
                ),
                **named(match_id),
            }
        },
        "/api/v1/matches/{match_id}/delete": {
            "post": {**post("Delete a stored match", None, MATCH, "404", role="the host"), **named(match_id)}
        },
        "/api/v1/matches/{match_id}/restore": {
            "post": {**post("Get a deleted match back", None, MATCH, "404", role="the host"), **named(match_id)}
        },
        "/api/v1/records": {
            "post": post("Store a record as a finished match", _object("record", record=TEXT), MATCH, role="the host")
        },
        "/api/v1/rematch": {"post": post("The same seats again, the next dealer", None, MATCH, "404", role="the host")},
        "/api/v1/decks": {
            "get": get("The table's own decks", _object("decks", decks={"type": "array"}), role="the host"),
            "post": post(
                "Keep a deck as typed; what is wrong and what is missing",
                _object("name deck", name=TEXT, deck={"type": "object"}),
                DECK,
                "404",
                role="the host",
            ),
        },
        "/api/v1/decks/{name}/deck.csv": {
            "get": {
                **get_file("A deck as a spreadsheet", "text/csv", "404", role="the host"),
                "parameters": [
                    DECK_CARD[0],
                    {"name": "separator", "in": "query", "schema": {"enum": ["comma", "semicolon"]}},
                ],
            },
            "post": {
                **post(
                    "The deck that a spreadsheet holds; nothing is kept",
                    None,
                    _object("deck", deck={"type": "object"}),
                    "404",
                    "415",
                    role="the host",
                ),
                **named(DECK_CARD[0]),
                "requestBody": {"required": True, "content": SPREADSHEET},
            },
        },
        "/api/v1/decks/{name}/graph.svg": {
            "get": {
                **get_file("Which card of a deck needs which", "image/svg+xml", "404", role="the host"),
                "parameters": DECK_CARD[:1],
            }
        },
        "/api/v1/decks/{name}/readings": {
            "get": {
                **get("What is proposed for cards read from photographs", READINGS, "404", role="the host"),
                "parameters": DECK_CARD[:1],
            },
            "post": {
                **post(
                    "Read the cards of a photograph, or of the camera's picture; nothing is kept in the deck",
                    None,
                    _object("read", read={"type": "array", "items": TEXT}),
                    "404",
                    "415",
                    role="the host",
                ),
                **named(
                    DECK_CARD[0],
                    {"name": "layout", "in": "query", "schema": {"enum": list(LAYOUTS)}},
                    {"name": "from", "in": "query", "schema": {"enum": ["camera"]}},
                ),
                "requestBody": {"required": False, "content": PICTURE},
            },
        },
        "/api/v1/decks/{name}/readings/{card}/{piece}.jpg": {
            "get": {
                **get_file("A piece of a card that was read", "image/jpeg", role="the host"),
                "parameters": [
                    *DECK_CARD,
                    {"name": "piece", "in": "path", "required": True, "schema": {"enum": ["title", "needs", "symbol"]}},
                ],
            }
        },
        "/api/v1/decks/{name}/readings/{card}/delete": {
            "post": {
                **post("Let the reading of a card go", None, _object("card", card=TEXT), "404", role="the host"),
                **named(*DECK_CARD),
            }
        },
        "/api/v1/decks/{name}/pictures/{card}": {
            "get": {
                **get_file(
                    "The picture of a card of one of the table's own decks", "image/jpeg", role="a seat or the host"
                ),
                "parameters": DECK_CARD,
            },
            "post": {
                **post("Keep a picture of a card, made small", None, PORTRAIT, "404", "415", role="the host"),
                **named(*DECK_CARD),
                "requestBody": {"required": True, "content": PICTURE},
            },
        },
        "/api/v1/decks/{name}/pictures/{card}/delete": {
            "post": {
                **post("Delete the picture of a card", None, PORTRAIT, "404", role="the host"),
                **named(*DECK_CARD),
            }
        },
        "/api/v1/box": {
            "get": get("What this box can do", BOX, role="the host"),
            "post": post(
                "Light the lamp, be quiet, switch off, give the table a name",
                _object("do", do={"enum": BOX_DOES}, name={"type": "string", "maxLength": 40}),
                BOX,
                "404",
                role="the host",
            ),
        },
        "/api/v1/doctor": {
            "get": get("What is well and what is not, as `companion doctor` says it", DOCTOR, "404", role="the host")
        },
        "/api/v1/stickers.pdf": {
            "get": {
                **get_file("Stickers, cards, tags and the mat to print", "application/pdf", "422", role="the host"),
                "parameters": [
                    {"name": "size", "in": "query", "description": "Millimetres.", "schema": {"type": "number"}},
                    {"name": "paper", "in": "query", "schema": {"enum": ["a4", "letter", "a3", "whole"]}},
                    {"name": "what", "in": "query", "schema": {"enum": list(PRINTABLE)}},
                    {"name": "zones", "in": "query", "description": "A mat as here.", "schema": {"enum": ["table"]}},
                    {"name": "mark", "in": "query", "description": "On every piece.", "schema": TEXT},
                    {"name": "labels", "in": "query", "description": "A bought sheet of labels.", "schema": TEXT},
                    {"name": "only", "in": "query", "description": "Pieces, with commas between.", "schema": TEXT},
                    {"name": "deck", "in": "query", "description": "A deck of this table.", "schema": TEXT},
                    {"name": "game", "in": "query", "description": "Its built-in deck.", "schema": TEXT},
                ],
            }
        },
        "/api/v1/backup.zip": {
            "get": get_file("Everything of this table in one file", "application/zip", "409", "503", role="the host")
        },
        "/api/v1/restore": {
            "get": get("How far a backup is that is brought back", RESTORE, "404", role="the host"),
            "post": post(
                "Bring a backup back: say how large it is, take it once it was checked, forget it",
                RESTORE_SAID,
                RESTORE,
                "404",
                "409",
                role="the host",
            ),
        },
        "/api/v1/restore/{at}": {
            "post": {
                **post(
                    "Send the piece of the backup that begins at this byte",
                    None,
                    RESTORE,
                    "404",
                    "409",
                    role="the host",
                ),
                **named(*RESTORE_PIECE),
                "requestBody": {"required": True, "content": RESTORE_BODY},
            }
        },
        "/api/v1/update": {
            "get": get("How far an update of the program is", UPDATE, "404", role="the host"),
            "post": post(
                "Update the program: say how large the file is, install it once it was looked at, forget it",
                RESTORE_SAID,
                UPDATE,
                "404",
                role="the host",
            ),
        },
        "/api/v1/update/{at}": {
            "post": {
                **post("Send the piece of the update that begins at this byte", None, UPDATE, "404", role="the host"),
                **named(*RESTORE_PIECE),
                "requestBody": {"required": True, "content": RESTORE_BODY},
            }
        },
        "/api/v1/wifi": {
            "get": get("The Wi-Fi that the box is in, and those in reach", WIFI, "404", role="the host"),
            "post": post(
                "Join a Wi-Fi; where that fails all is as before", WIFI_SAID, WIFI, "404", "409", role="the host"
            ),
        },
        "/api/v1/box-check": {
            "post": post(
                "Check a box of cards under the camera: begin, look once, or see what lies there and how it is turned",
                _object("do", do={"enum": ["begin", "look", "see"]}, deck=TEXT, game=TEXT),
                {"oneOf": [BOX_CHECK, BOX_SIGHT]},
                "404",
                role="the host",
            )
        },
        "/api/v1/recording": {
            "get": get("How far the recording of the table is", RECORDING, "404", role="the host"),
            "post": post(
                "Say how large a recording would be, begin one, end it, delete it",
                RECORDING_SAID,
                {"type": "object", "description": "As for GET; for a plan `kind`, `rate_hz` and `bytes`."},
                "404",
                role="the host",
            ),
        },
        "/api/v1/recording.zip": {
            "get": get_file("The finished recording, for `companion referee`", "application/zip", role="the host")
        },
        "/api/v1/eye": {
            "post": {
                **post("Be the camera: look at this picture", None, EYE, "404", "415", role="the host"),
                **named(*EYE_PHONE),
                "requestBody": {"required": True, "content": EYE_PICTURE},
            }
        },
        "/api/v1/zones": {
            "get": get("The zones that the camera goes by", ZONES, "404", role="the host"),
            "post": post("Keep other zones", _object("table", table=ZONES_SAID), ZONES, "404", role="the host"),
        },
        "/api/v1/camera.jpg": {
            "get": {
                **get_file("The camera's last picture", "image/jpeg", role="the host"),
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
                "cookie": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "companion",
                    "description": "Pages keep it as `companion-PORT`; both are read, that one first.",
                },
            },
        },
    }
