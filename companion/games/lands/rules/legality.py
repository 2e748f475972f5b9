"""The objections to a move: the rules in the order in which people would mention them."""

from __future__ import annotations

from companion.games.lands import moves as act
from companion.games.lands.deck import COLOURS, DAMAGE, MOST_COST, MOST_SPACES, RESOURCES, SIDES, UNKNOWN
from companion.games.lands.rules import acts, fights, turns, ways
from companion.games.lands.rules.acts import HAVE, HEALS, WATERS
from companion.games.lands.setup import FATAL, LandsSetup
from companion.games.lands.state import Island, has, is_dead, is_whole_tile, names_of, tile_of, tile_spaces
from companion.games.protocol import Move, Objection
from companion.public.table import TABLE, CardId, Seat

NOT_THERE = Objection("not-there")
NOT_OFFERED = Objection("not-offered")
DEAL = Objection("deal")
GAME_OVER = Objection("game-over")
FINDS = (*RESOURCES, "number", "enemy", "paw", "nothing")
"""What may be under the token of a space."""
ENEMIES = ("enemy", "paw")
MOST_POINTS = 12
"""The most stamina of an act: no seat has more."""
MOST_TOKENS = 99


def judge(setup: LandsSetup, public: Island, move: Move) -> tuple[Objection, ...]:
    """All objections to a move; none = legal."""
    if public.over:
        return (GAME_OVER,)
    if not _known_seat(setup, move):
        return (turns.TURN,)
    match move:
        case act.SetOut():
            return (NOT_OFFERED,) if public.dealt else _set_out(setup, public, move)
        case act.TellFacts():
            return _tell(setup, move)
        case act.JoinTile():
            fits = move.card in public.unjoined and _joins_fit(setup, public, move.card, move.joins)
            return () if fits else (NOT_THERE,)
        case act.PlaceFigure():
            return () if _may_be_placed(setup, public, move) else (NOT_THERE,)
        case act.GainItem() if not public.day:
            return _drawn_first(setup, public, move)
        case act.AgreeScenarioEnds():
            return () if public.dealt else (DEAL,)
        case act.PutAway():
            may_go = not (public.told and _fought(public, move.card))
            return () if public.laid.get(move.card) == "fight" and may_go else (NOT_THERE,)
        case act.TurnNight() | act.BeginDay():
            return _of_the_table(setup, public, move)
        case act.CountThings():
            if not public.dealt:
                return (DEAL,)
            return turns.on_the_map(public, move.by) or (() if _may_be_counted(public, move) else (NOT_OFFERED,))
        case _:
            pass
    if not public.dealt:
        return (DEAL,)
    early = turns.first_day(public) or turns.on_the_map(public, move.by)
    early = early or turns.hunted(public, move) or turns.fight_first(public, move)
    early = early or turns.dirty_drunk(public, move) or turns.light_enough(setup, public, move)
    early = early or _turn(public, move)
    return early or _itself(setup, public, move)


def _known_seat(setup: LandsSetup, move: Move) -> bool:
    if isinstance(move, act.TellFacts):
        return move.by in (TABLE, *setup.seats)
    return move.by == TABLE if isinstance(move, turns.OF_THE_TABLE) else move.by in setup.seats


def _fought(public: Island, card: str) -> bool:
    return public.fight is not None and public.fight.card == card


def _turn(public: Island, move: Move) -> tuple[Objection, ...]:
    """Acts in a fight are the fighter's, except support and damage; every other act is for the seat to move."""
    of_the_fight = public.told or isinstance(move, turns.IN_A_FIGHT)
    if public.fight is None or not of_the_fight or isinstance(move, act.SupportFight | act.TakeDamage):
        return turns.in_turn(public, move)
    return () if move.by == public.fight.fighter else (turns.TURN,)


def _may_be_counted(public: Island, move: act.CountThings) -> bool:
    """No dial, pack or figure has less than 0, or more than it can show."""
    if move.kind in DAMAGE:
        others = sum(count for kind, count in public.damage[move.by - 1].items() if kind != move.kind)
        return 0 <= move.n <= FATAL - others
    return 0 <= move.n <= {"stamina": MOST_POINTS, **dict.fromkeys(RESOURCES, MOST_TOKENS)}.get(move.kind, -1)


def _set_out(setup: LandsSetup, public: Island, move: act.SetOut) -> tuple[Objection, ...]:
    spaces = {space for tile in move.tiles for space in names_of(setup, public, tile)}
    joined = {space for join in move.joins for space in join}
    twice = len(set(move.tiles)) != len(move.tiles)
    there = len(move.stands) == len(setup.players) and {*move.stands, *joined} <= spaces
    return () if there and not twice and all(tile[0] == "M" for tile in move.tiles) else (NOT_THERE,)


def _may_be_placed(setup: LandsSetup, public: Island, move: act.PlaceFigure) -> bool:
    """A figure of which only the tile is known, on one of that tile's spaces."""
    here = public.stands[setup.stands[move.card] - 1] if move.card in setup.stands else ""
    is_somewhere = is_whole_tile(here) and bool(tile_spaces(setup, public, tile_of(here)))
    return is_somewhere and move.to in public.ways and tile_of(move.to) == here


def may_be_tile(setup: LandsSetup, move: act.TellFacts) -> bool:
    """Whether the spaces are possible for a tile, without facts of cards."""
    count, half = len(move.spaces), setup.deck.tile_mm / 2
    there = range(1, count + 1)
    named = (*(n for way in move.ways for n in way), *(n for n, _, _ in move.exits), *move.landmarks, *move.fires)
    points = (*move.spaces, *((x, y) for _, x, y in move.exits))
    return (
        1 <= count <= MOST_SPACES
        and len(move.costs) in (0, count)
        and all(1 <= cost <= MOST_COST for cost in move.costs)
        and all(number in there for number in named)
        and all(one != other for one, other in move.ways)
        and all(max(abs(x), abs(y)) <= half for x, y in points)
        and move.facts == UNKNOWN
    )


def _tell(setup: LandsSetup, move: act.TellFacts) -> tuple[Objection, ...]:
    if move.card[0] == "M":
        return () if move.card in setup.cards.values() and may_be_tile(setup, move) else (NOT_OFFERED,)
    if any((move.spaces, move.costs, move.ways, move.exits, move.landmarks, move.fires)):
        return (NOT_OFFERED,)
    numbers = (move.defence, move.attack, move.life)
    fine = all(number is None or 1 <= number <= SIDES for number in numbers)
    fine = fine and move.colour in (None, *COLOURS) and set(move.facts.cost or ()) <= set(RESOURCES)
    fine = fine and (move.makes is None or (move.makes in setup.cards.values() and move.makes[0] == "O"))
    return () if fine and move.card[0] in "NEPO" and move.card in setup.cards.values() else (NOT_OFFERED,)


def _drawn_first(setup: LandsSetup, public: Island, move: act.GainItem) -> tuple[Objection, ...]:
    """Before the first day only projects are drawn."""
    if move.card is None or move.card[0] != "P" or move.kind:
        return (turns.first_day(public) if public.dealt else (DEAL,)) or (NOT_OFFERED,)
    if _held(public, move.card):
        return (NOT_THERE,)
    return turns.projects_drawn(setup, public, move.by)


def _held(public: Island, card: str) -> bool:
    return any(card in cards for cards in public.packs)


def _of_the_table(setup: LandsSetup, public: Island, move: Move) -> tuple[Objection, ...]:
    if not public.dealt:
        return (DEAL,)
    if isinstance(move, act.TurnNight):
        if move.card[0] != "N" or move.card in public.nights:
            return (NOT_THERE,)
        if early := turns.first_day(public) or turns.fight_first(public, move):
            return early
        if not public.night:
            return (turns.TURN,)
        return (*turns.blue_first(setup, public, move.card), *turns.tribal(setup, public, move.card))
    assert isinstance(move, act.BeginDay)
    if move.seat not in setup.seats:
        return (NOT_THERE,)
    if not public.day:
        return turns.projects_drawn(setup, public)
    if early := turns.fight_first(public, move) or turns.on_the_map(public, move.seat):
        return early
    return turns.night_resolved(setup, public) if public.night else (turns.TURN,)


def _itself(setup: LandsSetup, public: Island, move: Move) -> tuple[Objection, ...]:
    """The conditions of a move, whichever seat makes it."""
    points = acts.enough_stamina(setup, public, move)
    match move:
        case act.Travel():
            return _travel(setup, public, move)
        case act.ScoutTile():
            if move.card[0] != "M" or move.card in public.tiles or not _joins_fit(setup, public, move.card, move.joins):
                return (NOT_THERE,)
            return (*ways.beside(setup, public, move), *points)
        case act.GatherToken():
            return (*(acts.same_water(public, move) if move.kind in FINDS else (NOT_OFFERED,)), *points)
        case act.CookMeat():
            if not move.count >= 1:
                return (NOT_OFFERED,)
            paid = acts.has_all(public, move.by, ["meat"] * min(move.count, 99))
            return (*acts.at_a_fire(setup, public, move.by, lit=True), *paid, *points)
        case act.RelightFire():
            paid = acts.has_all(public, move.by, ["wood"])
            return (*acts.at_a_fire(setup, public, move.by, lit=False), *paid, *points)
        case act.SetFire():
            return () if move.space in public.ways else (NOT_THERE,)
        case act.RestFrom():
            return _rest(setup, public, move)
        case act.Investigate():
            return (*acts.on_a_landmark(setup, public, move.by), *points)
        case act.UseCard():
            return _use(setup, public, move)
        case act.TakeDamage():
            return () if move.kind in DAMAGE else (NOT_OFFERED,)
        case act.DrinkDirty():
            return _drink(public, move)
        case act.EndActs() | act.LeaveMap():
            return ()
        case act.BeginFight():
            return () if move.card[0] == "E" else (NOT_THERE,)
        case act.SupportFight() | act.RollDice() | act.ChangeDie() | act.AcceptDice() | act.FleeFight():
            return _fight(setup, public, move)
        case _:
            return _goods(setup, public, move)


def _travel(setup: LandsSetup, public: Island, move: act.Travel) -> tuple[Objection, ...]:
    """A way with an entered cost, or by a card, need not be open.

    Staying on the same space is not a way: it would make the next token free (U12).
    """
    if setup.stands.get(move.card) != move.by:
        return (NOT_THERE,)
    if move.cost != 0 and move.by not in public.fled and move.to == public.stands[move.by - 1]:
        return (ways.PATH,)
    if move.cost is None and move.by not in public.fled:
        if no_way := ways.open_way(setup, public, public.stands[move.by - 1], move.to):
            return no_way
    elif move.to not in public.ways:
        return (ways.PATH,)
    if move.cost is not None and not 0 <= move.cost <= MOST_POINTS:
        return (NOT_OFFERED,)
    return acts.enough_stamina(setup, public, move)


def _joins_fit(setup: LandsSetup, public: Island, card: CardId, joins: tuple[act.Join, ...]) -> bool:
    own = names_of(setup, public, card)
    return all(new in own and old in public.ways and tile_of(old) != card for new, old in joins)


def _rest(setup: LandsSetup, public: Island, move: act.RestFrom) -> tuple[Objection, ...]:
    other = move.healed
    if move.kind not in HEALS or move.water not in (None, *WATERS) or other not in setup.seats:
        return (NOT_OFFERED,)
    objections = () if other == move.by else turns.on_the_map(public, other) or ways.together(public, move.by, other)
    hurting = public.damage[other - 1].get(move.kind, 0)
    paid = acts.has_all(public, move.by, [acts.heals_with(move)]) if hurting else (HAVE,)
    return (*objections, *paid, *acts.enough_stamina(setup, public, move))


def _use(setup: LandsSetup, public: Island, move: act.UseCard) -> tuple[Objection, ...]:
    if not 0 <= move.points <= MOST_POINTS:
        return (NOT_OFFERED,)
    if move.card is not None and (move.card[0] != "O" or move.card not in public.packs[move.by - 1]):
        return (NOT_THERE,)
    once = () if public.fight is None else fights.used_once(public.fight, move.by, move.card)
    return (*once, *acts.enough_stamina(setup, public, move))


def _drink(public: Island, move: act.DrinkDirty) -> tuple[Objection, ...]:
    """The water that a rest owes is paid for already; a card that makes a seat drink takes a dirty water."""
    if move.how not in ("medicine", "die") or (move.how == "die") != (move.die is not None):
        return (NOT_OFFERED,)
    kinds = [] if public.drinks[move.by - 1] else ["dirty-water"]
    return acts.has_all(public, move.by, [*kinds, "medicine"] if move.how == "medicine" else kinds)


def _fight(setup: LandsSetup, public: Island, move: Move) -> tuple[Objection, ...]:
    fight = public.fight
    if fight is None:
        return (NOT_OFFERED,)
    match move:
        case act.SupportFight():
            if move.by == fight.fighter or fight.rolled or not setup.supports:
                return (NOT_OFFERED,)
            return (*fights.supported_once(fight, move.by), *ways.near_enough(public, move.by, fight.fighter))
        case act.RollDice():
            return (NOT_OFFERED,) if fight.rolled else ()
        case act.ChangeDie():
            if not fight.rolled:
                return (Objection("must-roll"),)
            return acts.has_all(public, move.by, [move.kind]) if fights.says_its_die(move) else (NOT_OFFERED,)
        case act.AcceptDice():
            return fights.is_known(setup, public, fight.card) if fight.rolled else (Objection("must-roll"),)
        case _:
            return ()


def _goods(setup: LandsSetup, public: Island, move: Move) -> tuple[Objection, ...]:
    """Cards and tokens that come, go, or change hands."""
    match move:
        case act.GainItem():
            if move.card is None:
                return () if move.kind in RESOURCES else (NOT_OFFERED,)
            if move.kind or move.card[0] not in "OP" or _held(public, move.card):
                return (NOT_THERE,)
            return acts.other_name(setup, public, move.by, move.card)
        case act.CraftObject():
            if move.card[0] != "O" or _held(public, move.card):
                return (NOT_THERE,)
            if acts.project_for(setup, public, move.by, move.card) is None:
                return (NOT_OFFERED,)
            price = acts.project_price(setup, public, move.by, move.card) if public.told else ()
            paid = acts.has_all(public, move.by, price)
            points = acts.enough_stamina(setup, public, move)
            return (*paid, *acts.other_name(setup, public, move.by, move.card), *points)
        case act.DropCard():
            if move.card not in public.packs[move.by - 1]:
                return (NOT_THERE,)
            return acts.no_quest(setup, public, move.card)
        case act.ThrowToken():
            return acts.has_all(public, move.by, [move.kind]) if move.kind in RESOURCES else (NOT_OFFERED,)
        case act.TradeCard():
            if move.card not in public.packs[move.by - 1] or not _partner(setup, move.by, move.to):
                return (NOT_THERE,)
            met = turns.on_the_map(public, move.to) or ways.together(public, move.by, move.to)
            return (*met, *acts.other_name(setup, public, move.to, move.card))
        case act.GiveToken():
            if move.kind not in RESOURCES or not _partner(setup, move.by, move.to):
                return (NOT_OFFERED,)
            met = turns.on_the_map(public, move.to) or ways.together(public, move.by, move.to)
            return (*met, *acts.has_all(public, move.by, [move.kind]))
        case act.LootDead():
            return _loot(setup, public, move)
        case _:
            return (NOT_OFFERED,)


def _partner(setup: LandsSetup, by: Seat, to: Seat) -> bool:
    return to in setup.seats and to != by


def _loot(setup: LandsSetup, public: Island, move: act.LootDead) -> tuple[Objection, ...]:
    """U39: « 1 ressource ou un objet contre 1 point d'endurance », from a dead seat."""
    if not _partner(setup, move.by, move.source) or not is_dead(public, move.source):
        return (NOT_OFFERED,)
    if (move.card is None) == (not move.kind) or (move.kind and move.kind not in RESOURCES):
        return (NOT_OFFERED,)
    points = acts.enough_stamina(setup, public, move)
    met = ways.together(public, move.by, move.source)
    if move.card is None:
        return (*met, *(() if has(public, move.source, move.kind or "") else (HAVE,)), *points)
    if move.card not in public.packs[move.source - 1]:
        return (NOT_THERE,)
    return (*met, *acts.other_name(setup, public, move.by, move.card), *points)
