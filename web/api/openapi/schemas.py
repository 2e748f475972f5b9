"""The shapes that the API's answers have, for its description."""

from __future__ import annotations

from companion.public.decks import CARD_ID, DECK_NAME
from companion.public.text import JSON

INTEGER: JSON = {"type": "integer"}
SEAT: JSON = {"type": ["integer", "null"]}
TEXT: JSON = {"type": "string"}
NUMBER: JSON = {"type": ["number", "null"]}
FIGURES = (
    "placements corrections corrections_per_100 taken_back refusals overruled false_alarms questions unexplained"
    " play_s waited_s waits"
)


def object_of(required: str = "", **properties: JSON) -> JSON:
    """An object with these properties; the required ones by name, with spaces between."""
    return {"type": "object", "properties": properties, "required": required.split()}


def ref(name: str) -> JSON:
    """A schema by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


SCHEMAS: dict[str, JSON] = {
    "Problem": {
        **object_of("type title status detail", type=TEXT, title=TEXT, status=INTEGER, detail=TEXT),
        "description": "RFC 9457; a stale request (409) also gets the fresh standing in it.",
    },
    "Standing": {
        "type": ["object", "null"],
        "description": "The public standing as in the record; null before the first match.",
        "properties": {
            "turn": SEAT,
            "points": {"type": "array", "items": INTEGER},
            "hands": {"type": "array", "items": INTEGER},
            "stack": INTEGER,
            "trumps": INTEGER,
            "owed": {"type": "array", "items": object_of("seat do", seat=INTEGER, do=TEXT)},
            "over": {"type": "boolean"},
            "winners": {"type": "array", "items": INTEGER},
            "provisional": {"type": "boolean"},
        },
        "required": ["turn", "points", "hands", "stack", "trumps", "owed", "over", "winners"],
    },
    "Asked": object_of(
        "number text answers",
        number=INTEGER,
        text=TEXT,
        answers={
            "type": "array",
            "items": object_of("text seats", text=TEXT, seats={"type": "array", "items": INTEGER}),
        },
    ),
    "News": object_of(
        "match number signal texts standing public entry alert asked guide why seats",
        match={"type": ["string", "null"]},
        number={**INTEGER, "description": "The last entry that everybody may know of; 0 before the first."},
        signal={"type": ["string", "null"], "description": "What happened, as far as a lamp is concerned."},
        texts={"type": "array", "items": TEXT, "description": "In the reader's language, the most important first."},
        standing=ref("Standing"),
        public={"description": "The table as a spectator may see it, in the game's own shape."},
        entry={"type": ["object", "null"], "description": "The public entry as in the record."},
        alert={"type": "string", "enum": ["none", "paused", "asks", "refused", "disagrees", "lost", "trouble"]},
        asked={"type": "array", "items": ref("Asked")},
        guide={
            "type": "array",
            "items": TEXT,
            "description": "What to move so that the table is as the log has it; it shrinks as that is done.",
        },
        why={
            "type": "array",
            "items": object_of("rule section", rule=TEXT, section=TEXT),
            "description": "The rules that the texts speak of, with their sections of the rule book; /how tells each.",
        },
        seats={"type": "array", "items": TEXT, "description": "What whoever sits there is called now, seat 1 first."},
    ),
    "Entry": {"type": ["object", "null"], "description": "An entry as in the record."},
    "Figures": {
        **object_of(
            f"{FIGURES} pictures",
            **dict.fromkeys(FIGURES.split(), NUMBER),
            pictures={"type": "object"},
            marks={"type": "object"},
        ),
        "description": "How well a match was refereed; `pictures`: how many were kept, by entry; `marks`: where in "
        "one of them the card lies.",
    },
    "Welcome": object_of(
        "role seat code",
        role={"type": "string", "enum": ["seat", "host"]},
        seat=SEAT,
        code={**TEXT, "description": "For `Authorization: Bearer`; browsers keep it in a cookie."},
    ),
}

AFTER: JSON = {
    "type": ["integer", "null"],
    "description": "The last entry that was known when this was said; 409 when there are newer ones.",
}
CORRECTIONS = "undo claim allow pause resume counts table-is-right log-is-right camera-was-wrong seat"
MOVE = object_of("do by", do={"type": "string", "minLength": 1}, by={"type": "integer", "minimum": 0, "maximum": 9})
CORRECTION = object_of(
    "do",
    do={"enum": [*CORRECTIONS.split()]},
    number={"type": ["integer", "null"], "description": "The entry that is meant."},
    by={"type": ["integer", "null"], "description": "Claim: whose it was, when the host says it."},
    hands={"type": ["array", "null"], "items": INTEGER, "description": "Counts: cards in each hand, seat 1 first."},
    stack={"type": ["integer", "null"], "description": "Counts: cards in the stack."},
    seat={"type": ["integer", "null"], "description": "Seat: which seat is meant."},
    name={"type": ["string", "null"], "description": "Seat: what whoever sits there is called."},
    swaps={"type": ["integer", "null"], "description": "Seat: its people change places with this seat's."},
    here={"type": ["boolean", "null"], "description": "Seat: somebody sat down there, or left."},
    anyway={"type": ["boolean", "null"], "description": "Host: also when later entries no longer hold."},
    after=AFTER,
    match=TEXT,
)
INVITATION = object_of("role seat code short", role=TEXT, seat=SEAT, code=TEXT, short=TEXT)
SEATED = {
    **object_of(
        "seat name bot here why cards next",
        seat=INTEGER,
        name=TEXT,
        bot={"type": "boolean"},
        here={"type": "boolean"},
        why={"type": ["string", "null"]},
        cards=INTEGER,
        next=SEAT,
    ),
    "description": "Host: why nobody may leave that seat now (or sit down, where it stands empty); without a reason "
    "so many cards would go from hand to stack (or back), and it would be the turn of the next one.",
}
OFFER = object_of("by do choices", by=INTEGER, do=TEXT, choices={"type": "object"})


MATCH = object_of("match", match=TEXT)
FAULTS: JSON = {"type": "array", "items": object_of("what where", what=TEXT, where={"type": "array"})}
DECK = {
    **object_of("name file entered faults open", name=TEXT, file=TEXT, entered=INTEGER, faults=FAULTS, open=FAULTS),
    "description": "For a game whose tiles are drawn also drawn: each tile of the deck as `things` of a match have it; "
    "null for one that lacks something.",
}
BOX_CHECK = object_of(
    "pieces missing lying fresh unread foreign",
    pieces={
        "type": "array",
        "items": object_of(
            "token number name read wrong",
            token=TEXT,
            number=TEXT,
            name=TEXT,
            read={"type": "boolean"},
            wrong={"type": "array", "items": {"enum": ["doubled", "small", "smudged"]}},
        ),
    },
    missing=INTEGER,
    lying=INTEGER,
    fresh={"type": "array", "items": TEXT},
    unread=object_of("small smudged", small=INTEGER, smudged=INTEGER),
    foreign=INTEGER,
)
BOX_SIGHT = object_of(
    "seen unread",
    seen={
        "type": "array",
        "items": object_of("token x y turned_deg", token=TEXT, x=INTEGER, y=INTEGER, turned_deg={"type": "number"}),
    },
    unread=INTEGER,
)
BOX = object_of(
    "can night muted name names_players",
    can={"type": "array"},
    night={"type": "boolean"},
    muted={"type": "boolean"},
    name={**TEXT, "description": "What people call this table; empty: nobody has named it."},
    names_players={
        "type": ["boolean", "null"],
        "description": "Whether the broker is told who sits where; null: there is no broker.",
    },
)
HUB = object_of(
    "id answers code",
    id=TEXT,
    answers={"type": "boolean"},
    code={
        "type": ["string", "null"],
        "description": "What to type at the hub; told to the host. null: there is none.",
    },
)
DECK_CARD: list[JSON] = [
    {"name": name, "in": "path", "required": True, "schema": {"type": "string", "pattern": f"^{pattern.pattern}$"}}
    for name, pattern in (("name", DECK_NAME), ("card", CARD_ID))
]
PICTURE: JSON = {
    kind: {"schema": {"type": "string", "format": "binary", "description": "JPEG, PNG or WebP; 12 MB at most."}}
    for kind in ("image/jpeg", "application/octet-stream")
}
RESTORE = object_of(
    "state last",
    state={
        "enum": ["idle", "coming", "checking", "ready", "refused", "taken"],
        "description": "All but idle also have name, bytes, received, made, why and changes.",
    },
    last={"type": ["string", "null"], "description": "What came of the last backup that was taken."},
    name=TEXT,
    bytes=INTEGER,
    received=INTEGER,
    made=TEXT,
    why={"type": ["string", "null"], "description": "Why it cannot be taken."},
    changes={"type": "array", "items": TEXT, "description": "What would be gained and lost, a sentence each."},
    code={"type": ["string", "null"], "description": "After take: the host's code from then on; null = as before."},
)
UPDATE = object_of(
    "state now version why last",
    state={
        "enum": ["idle", "coming", "checking", "ready", "refused", "taken"],
        "description": "All but idle also have name, bytes and received.",
    },
    now={"type": "string", "description": "The version that runs."},
    version={"type": "string", "description": "That of the update, once it was looked at."},
    why={"type": ["string", "null"], "description": "Why it cannot be installed."},
    last={"type": ["string", "null"], "description": "What came of the last one."},
    name=TEXT,
    bytes=INTEGER,
    received=INTEGER,
)
WIFI = object_of(
    "state own now networks last address",
    state={"enum": ["idle", "working"]},
    own={"type": "boolean", "description": "The box makes a Wi-Fi of its own."},
    now={"type": ["string", "null"], "description": "The name of the Wi-Fi that it is in."},
    networks={
        "type": "array",
        "items": object_of(
            "name secured signal",
            name=TEXT,
            secured={"type": "boolean"},
            signal={"type": "integer", "minimum": 0, "maximum": 100},
        ),
    },
    last={"type": ["string", "null"], "description": "What came of the last time."},
    address={"type": "string", "description": "Where its pages are in any network."},
)
WIFI_SAID = object_of(
    "name",
    name={"type": "string", "description": "1 to 32 bytes."},
    password={"type": "string", "description": "8 to 63 signs or 64 hexadecimal digits; none = it wants none."},
)
RESTORE_SAID = object_of(
    "do",
    do={"enum": ["begin", "take", "drop"]},
    bytes={"type": "integer", "minimum": 1, "description": "For begin: how large the file is."},
    name={"type": "string", "description": "For begin: what to call it."},
)
RESTORE_PIECE: list[JSON] = [
    {"name": "at", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 0}}
]
RESTORE_BODY: JSON = {
    "application/octet-stream": {"schema": {"type": "string", "format": "binary", "description": "4 MB at most."}}
}
RECORDING = object_of(
    "recording ready broken_off",
    recording={"type": "boolean", "description": "Then also seconds, of, ring and bytes."},
    ready={
        "oneOf": [
            {"type": "null"},
            object_of(
                "match frames seconds pictures bytes",
                match=TEXT,
                frames=INTEGER,
                seconds={"type": "number"},
                pictures={"type": "array", "items": TEXT},
                bytes=INTEGER,
            ),
        ]
    },
    broken_off={"type": ["string", "null"], "description": "Why it ended early."},
)
RECORDING_SAID = object_of(
    "do",
    do={"enum": ["plan", "begin", "stop", "delete"]},
    seconds={"type": "integer", "minimum": 1, "maximum": 600, "description": "60 when nothing is said."},
    ring_minutes={"type": "integer", "minimum": 1, "maximum": 60, "description": "Only the last ones are kept."},
)
EYE = object_of(
    "size_px rate_hz",
    size_px={"type": "array", "items": INTEGER, "minItems": 2, "maxItems": 2},
    rate_hz={"type": "number", "description": "Pictures a second that came lately."},
)
EYE_PHONE: list[JSON] = [
    {
        "name": "phone",
        "in": "query",
        "required": True,
        "description": "A name that the phone draws itself.",
        "schema": {"type": "string", "pattern": "^[A-Za-z0-9-]{8,64}$"},
    },
    {"name": "instead", "in": "query", "description": "With any value: in the place of another phone.", "schema": TEXT},
]
EYE_PICTURE: JSON = {
    "image/jpeg": {"schema": {"type": "string", "format": "binary", "description": "JPEG; 6 MB at most."}}
}
READINGS = object_of(
    "reads cards",
    reads={"type": "boolean"},
    cards={
        "type": "array",
        "items": object_of(
            "card title needs nothing unknown edged",
            card=TEXT,
            title=TEXT,
            needs={"type": "array", "items": TEXT},
            nothing={"type": "boolean"},
            unknown={"type": "array", "items": TEXT},
            edged={"type": "boolean"},
        ),
    },
)
SPREADSHEET: JSON = {"text/csv": {"schema": {"type": "string", "description": "CSV; 128 kB at most."}}}
PORTRAIT = object_of("name card", name=TEXT, card=TEXT)
DOCTOR = object_of(
    "findings",
    findings={
        "type": "array",
        "items": object_of(
            "name level what to_do",
            name=TEXT,
            level={"enum": ["ok", "info", "warning", "trouble"]},
            what=TEXT,
            to_do={**TEXT, "description": "The one thing to do; empty where there is none."},
        ),
    },
)
ZONE = object_of(
    "name polygon",
    name=TEXT,
    polygon={"type": "array", "minItems": 3, "items": {"type": "array", "minItems": 2, "maxItems": 2}},
)
ZONES = object_of(
    "zone movable why",
    size_mm={"type": "array"},
    zone={"type": "array", "items": ZONE},
    movable={"type": "boolean"},
    why={"type": ["string", "null"]},
)
_CARDS: JSON = {"type": "array", "items": TEXT}
VISIT = object_of(
    "match playing",
    match={"type": ["string", "null"]},
    playing={"type": "boolean", "description": "The rest is there only while I play."},
    hand=_CARDS,
    called={"type": ["string", "null"], "description": "The called card, on its way through my hand to the tree."},
    astray={**_CARDS, "description": "Cards that I laid and that do not belong where they lie."},
    zones={**_CARDS, "description": "Where cards can be laid."},
    waiting={"type": "integer", "description": "Gestures that wait for the hand."},
)
GESTURE = object_of(
    "do card",
    do={"enum": ["lay", "take", "show", "call"]},
    card={"type": "string", "description": "A card's id; show: KEND, KPASS, KUNDO or KSTOP."},
    to={"type": ["string", "null"], "description": "Lay: the zone."},
    beside={"type": ["string", "null"], "description": "Lay: a card that lies there."},
    match=TEXT,
)
ZONES_SAID: JSON = {"type": ["object", "null"], "description": "As a match file's [table]; null: the usual ones."}
