"""Reads a match file (contract section 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from companion.errors import Fault, InputError, fault
from companion.games import files
from companion.games.discovery.deck import Deck
from companion.games.discovery.effects.turns import CARDS_IN_ALL, _start
from companion.games.discovery.game import Discovery, discovery
from companion.games.discovery.secrecy import always_has_stop, may_infer_turn_end
from companion.games.discovery.setup import PROFILES, SEATS_AT_MOST, Options, Player, Profile, Setup, setup
from companion.games.discovery.state import Position, TreeCard
from companion.public.names import name_key
from companion.public.table import CardId, Seat
from companion.public.text import JSON

POSITION_KEYS = ("turn", "tree", "pool", "discards", "hands", "stack", "points")


def read_position(setup: Setup, given: JSON, faults: list[Fault]) -> Position | None:
    """The start of a seat's turn in the middle of a match; adds faults to the list."""
    if not isinstance(given, Mapping):
        faults.append(fault("position.fault.form", "position is a table, such as [position]", "position"))
        return None
    faults += files.unknown_keys(given, POSITION_KEYS, "position")
    count = len(setup.players)
    turn = _count(given.get("turn", 1), ("position", "turn"), 1, count, faults)
    tree = _tree(setup, given.get("tree", []), faults)
    pool = tuple(_card(setup, card, ("position", "pool", at), faults) for at, card in _list(given, "pool", faults))
    none: list[list[JSON]] = [[] for _ in setup.players]
    discards = tuple(
        tuple(_card(setup, card, ("position", "discards", seat, at), faults) for at, card in enumerate(lying))
        for seat, lying in _list({"discards": none, **given}, "discards", faults)
        if _is_list(lying, ("position", "discards", seat), faults)
    )
    hands = tuple(
        _count(held, ("position", "hands", at), 0, CARDS_IN_ALL + 9, faults)
        for at, held in _list(given, "hands", faults)
    )
    scores = tuple(
        _count(score, ("position", "points", at), -999, 9999, faults)
        for at, score in _list({"points": [0] * count, **given}, "points", faults)
    )
    stack = _count(given.get("stack"), ("position", "stack"), 0, CARDS_IN_ALL + 9, faults)
    for key, values in (("discards", discards), ("hands", hands), ("points", scores)):
        if len(values) != count and (key not in given or isinstance(given[key], list | tuple)):
            sentence = "one for each of the {wanted} seats is needed, there are {found}"
            faults.append(fault("position.fault.each", sentence, "position", key, wanted=count, found=len(values)))
    _twice((*(laid.card for laid in tree), *pool, *(card for lying in discards for card in lying)), faults)
    if faults:
        return None
    total = len(tree) + len(pool) + sum(map(len, discards)) + sum(hands) + stack
    missing = CARDS_IN_ALL + len(setup.jokers) - total
    seen = {laid.card for laid in tree} | set(pool) | {card for lying in discards for card in lying}
    if not 0 <= missing <= len(set(setup.jokers) - seen):
        sentence = "tree, pool, discards, hands and stack make {found} cards; there are {wanted}"
        sums = {"found": total, "wanted": CARDS_IN_ALL, "jokers": len(setup.jokers)}
        if setup.jokers:
            faults.append(fault("position.fault.jokers", f"{sentence} and {{jokers}} jokers", "position", **sums))
        else:
            faults.append(fault("position.fault.sum", sentence, "position", **sums))
        return None
    return _start(setup, tree, pool, discards, hands, stack, scores, Seat(turn), gone=(None,) * missing)


def _tree(setup: Setup, given: JSON, faults: list[Fault]) -> tuple[TreeCard, ...]:
    laid = []
    if not _is_list(given, ("position", "tree"), faults):
        return ()
    for at, written in enumerate(given):
        where = ("position", "tree", at)
        card, _, stands_for = str(written).partition("=")
        if not stands_for:
            natural = _card(setup, written, where, faults)
            if natural in setup.jokers:
                faults.append(
                    fault(
                        "position.fault.stands",
                        'say what {value} stands for, such as "{value}=1-4"',
                        *where,
                        value=natural,
                    )
                )
            laid.append(TreeCard(natural, natural))
        elif card not in setup.jokers or stands_for not in setup.facts:
            sentence = '{value} is no joker that stands for a card, such as "J1=1-4"'
            faults.append(fault("position.fault.joker", sentence, *where, value=repr(written)))
        else:
            laid.append(TreeCard(CardId(card), CardId(stands_for)))
    for counts_as, times in Counter(card.counts_as for card in laid).items():
        if times > 1:
            sentence = "{value} lies there twice, as itself or as a joker"
            faults.append(fault("position.fault.twice", sentence, "position", "tree", value=counts_as))
    return tuple(laid)


def _card(setup: Setup, written: JSON, where: tuple[str | int, ...], faults: list[Fault]) -> CardId:
    if isinstance(written, str) and (written in setup.facts or written in setup.jokers):
        return CardId(written)
    sentence = "{value} is no card of this match; cards are written era-number, such as 1-8"
    faults.append(fault("position.fault.card", sentence, *where, value=repr(written)))
    return CardId("")


def _twice(cards: Sequence[CardId], faults: list[Fault]) -> None:
    for card, times in Counter(cards).items():
        if times > 1 and card:
            faults.append(
                fault("position.fault.places", "{value} lies in {times} places", "position", value=card, times=times)
            )


def _list(given: Mapping[str, JSON], key: str, faults: list[Fault]) -> list[tuple[int, JSON]]:
    value = given.get(key)
    if not _is_list(value, ("position", key), faults) or value is None:
        return []
    return list(enumerate(value))


def _is_list(value: JSON, where: tuple[str | int, ...], faults: list[Fault]) -> bool:
    if isinstance(value, list | tuple) and len(value) <= CARDS_IN_ALL + 9:
        return True
    faults.append(fault("position.fault.list", "a list in square brackets is needed here", *where))
    return False


def _count(value: JSON, where: tuple[str | int, ...], least: int, most: int, faults: list[Fault]) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        if value is None:
            sentence = "is missing; write a whole number from {least} to {most}"
            faults.append(fault("position.fault.missing", sentence, *where, least=least, most=most))
        else:
            sentence = "{value} does not do; write a whole number from {least} to {most}"
            faults.append(fault("position.fault.number", sentence, *where, value=repr(value), least=least, most=most))
        return least
    return value


MATCH_KEYS = frozenset({"game", "profile", "deck", "dealer", "jokers", "host", "seat", "options", "position", "table"})
SEAT_KEYS = frozenset({"name", "team", "bot", "late"})
JOKERS_AT_MOST = 9
"""The books do not limit the number (A1); sticker numbers of jokers have one digit."""


def open_match(match: JSON, deck: Deck) -> Discovery:
    """A match from a parsed match file and its deck.

    Raises:
        InputError: All faults of the file.
    """
    if not isinstance(match, Mapping):
        raise InputError(fault("match.fault.form", "a match is a table of keys, such as profile and seat"))
    faults = [*files.unknown_keys(match, sorted(MATCH_KEYS))]
    if match.get("game", "discovery") != "discovery":
        faults.append(
            fault(
                "match.fault.discovery",
                '{value} is no game known here; write "discovery"',
                "game",
                value=repr(match["game"]),
            )
        )
    faults += files.host(match)
    profile = _profile(match, faults)
    players = _players(match, faults)
    jokers = _number(match, "jokers", 0, 0, JOKERS_AT_MOST, faults, ())
    count = max(1, len(players))
    dealer = _number(match, "dealer", count, 1, count, faults, ())
    options = _options(match, profile, faults)
    if faults:
        raise InputError(*faults)
    made = setup(deck, profile, options, players, Seat(dealer), jokers)
    if "position" not in match:
        return discovery(made)
    position = read_position(made, match["position"], faults)
    if faults or position is None:
        raise InputError(*faults)
    return discovery(made, position)


def _profile(match: Mapping[str, JSON], faults: list[Fault]) -> Profile:
    name = match.get("profile")
    if isinstance(name, str) and name in PROFILES:
        return PROFILES[name]
    names = ", ".join(PROFILES)
    if name is None:
        faults.append(
            fault("match.fault.no_profile", "the match needs a profile; choose one of {known}", "profile", known=names)
        )
    else:
        sentence = "{value} is no profile; choose one of {known}"
        faults.append(fault("match.fault.profile", sentence, "profile", value=repr(name), known=names))
    return PROFILES["fr-explore"]


def _players(match: Mapping[str, JSON], faults: list[Fault]) -> tuple[Player, ...]:
    seats = match.get("seat")
    if not isinstance(seats, Sequence) or isinstance(seats, str) or not seats:
        faults.append(Fault("the match needs at least one [[seat]] with a name", ("seat",), "match.fault.seat"))
        return ()
    if len(seats) > SEATS_AT_MOST:
        faults.append(
            Fault(
                f"{len(seats)} seats are too many: the cards suffice for {SEATS_AT_MOST}",
                ("seat",),
                "match.fault.seats",
                {"count": len(seats), "most": SEATS_AT_MOST},
            )
        )
        return ()
    players = tuple(_player(seat, ("seat", place), faults) for place, seat in enumerate(seats))
    if all(player.bot or player.late for player in players):
        faults.append(
            Fault(
                "at least one seat must be a person's; somebody has to flip the bots' cards",
                ("seat",),
                "match.fault.person",
            )
        )
    return players


def _player(seat: JSON, where: tuple[str | int, ...], faults: list[Fault]) -> Player:
    faults += files.seat(seat, sorted(SEAT_KEYS), *where)
    if not isinstance(seat, Mapping):
        return Player()
    team, bot = seat.get("team"), seat.get("bot", False)
    if team is not None and (not isinstance(team, str) or not name_key(team)):
        faults.append(fault("match.fault.team", "a team is a name in quotes", *where, "team"))
    faults += files.switch(bot, *where, "bot")
    if bot is True and team is not None:
        faults.append(
            Fault("a bot cannot play in a team; take away bot or team", (*where, "team"), "match.fault.bot_team")
        )  # I6
    late = seat.get("late", False)
    faults += files.switch(late, *where, "late")
    return Player(team if isinstance(team, str) else None, bot is True, late is True)


def _number(
    table: Mapping[str, JSON],
    key: str,
    default: int,
    least: int,
    most: int,
    faults: list[Fault],
    where: tuple[str | int, ...],
) -> int:
    value = table.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        faults.append(
            Fault(
                f"{value!r} does not do; write a whole number from {least} to {most}",
                (*where, key),
                f"match.fault.{key}",
                {"value": repr(value), "least": least, "most": most},
            )
        )
        return default
    return value


def _options(match: Mapping[str, JSON], profile: Profile, faults: list[Fault]) -> Options:
    given = match.get("options", {})
    if not isinstance(given, Mapping):
        faults.append(fault("match.fault.options", "options is a table, such as [options]", "options"))
        return Options()
    switches = ("series_plus", "stop", "en_explore_steal_when_empty", "joker_trump_bonus", "call_era6_when_stack_empty")
    faults += files.unknown_keys(given, sorted({*switches, "contest_s", "turn_end"}), "options")
    values = {key: _switch(given, key, faults) for key in switches}
    for key in ("series_plus", "en_explore_steal_when_empty"):
        if values[key] and profile.name != "en-explore":
            sentence = "this is an option of en-explore, not of {profile}"
            faults.append(fault("match.fault.explore_only", sentence, "options", key, profile=profile.name))
    if always_has_stop(profile) and given.get("stop") is False:
        sentence = "Stop is what {profile} is about: it cannot be switched off"
        faults.append(fault("match.fault.stop", sentence, "options", "stop", profile=profile.name))
    contest_s = given.get("contest_s", 10)
    if isinstance(contest_s, bool) or not isinstance(contest_s, int | float) or not 0 <= contest_s <= 3600:
        sentence = "write the seconds to contest an act, from 0 to 3600"
        faults.append(fault("match.fault.contest", sentence, "options", "contest_s"))
        contest_s = 10
    turn_end = given.get("turn_end", "spoken")
    if turn_end not in ("spoken", "inferred"):
        faults.append(fault("match.fault.turn_end", 'write "spoken" or "inferred"', "options", "turn_end"))
    elif turn_end == "inferred" and not may_infer_turn_end(profile):
        sentence = 'an inferred end would tell too much in {profile}; write "spoken"'
        faults.append(fault("match.fault.inferred", sentence, "options", "turn_end", profile=profile.name))
    return Options(
        series_plus=values["series_plus"],
        stop=values["stop"] or always_has_stop(profile),
        contest_s=float(contest_s),
        inferred=turn_end == "inferred",
        en_explore_steal_when_empty=values["en_explore_steal_when_empty"],
        joker_trump_bonus=given.get("joker_trump_bonus", True) is True,
        call_era6_when_stack_empty=values["call_era6_when_stack_empty"],
    )


def _switch(given: Mapping[str, JSON], key: str, faults: list[Fault]) -> bool:
    value = given.get(key, False)
    faults += files.switch(value, "options", key)
    return value is True
