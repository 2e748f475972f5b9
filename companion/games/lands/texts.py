"""The referee's texts: keys and parameters for the reader's catalog."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.lands import moves as act
from companion.games.lands.effects.goods import HARMFUL
from companion.games.lands.rules.acts import WATERS, heals_with, missing, price, project_for, project_price
from companion.games.lands.rules.turns import tribal
from companion.games.lands.setup import LandsSetup
from companion.games.lands.state import Island, is_dead, tile_spaces
from companion.games.protocol import Effect, Move, Objection
from companion.public.table import TABLE, Seat
from companion.public.text import JSON, Text


def reason(setup: LandsSetup, public: Island, move: Move, objection: Objection) -> Text:
    """The text of an objection, with what to do about it."""
    rule = objection.rule
    common = {"seat": move.by, "cards": list(objection.cards), "n": len(objection.cards)}
    params: dict[str, object] = {**common, "rule": objection.rule}
    if move.subject is not None:
        params["card"] = move.subject
    match rule:
        case "turn":
            rule = _not_at_turn(public, move, params)
        case "stamina":
            params |= {"n": public.stamina[move.by - 1], "points": price(setup, public, move)}
        case "projects":
            params["n"] = setup.projects
            rule = "projects.more" if isinstance(move, act.GainItem) else "projects"
        case "fire" if isinstance(move, act.RelightFire):
            rule = "fire.relight"
        case "space":
            params["other"] = _met(move)
        case "have":
            params["seat"] = _who_lacks(public, move)
            rule = f"have.{_missing(setup, public, move)}"
        case "not-offered" if isinstance(move, act.GatherToken) and move.kind in WATERS.values():
            rule = "not-offered.water"
        case "must-roll" | "must-accept" if public.fight is not None:
            params["seat"] = public.fight.fighter
        case "not-there" if move.subject is None:
            rule = "not-offered" if move.by else "not-offered.table"
        case "not-offered" if not move.by:
            rule = "not-offered.table"
        case "dead" | "left":
            params["seat"] = _who_is_out(public, move)
        case _:
            pass
    return Text(f"lands.objection.{rule}", params)


def _not_at_turn(public: Island, move: Move, params: dict[str, object]) -> str:
    """The seat that acts now, and the one that waits."""
    acts = public.fight.fighter if public.fight else public.turn
    params |= {"seat": acts, "other": move.by}
    if isinstance(move, act.BeginDay):
        return "turn.begun"
    if not acts:
        return "turn.none" if move.by else "not-offered.table"
    if not move.by:
        return "turn.table"
    return "turn.fight" if public.fight else "turn"


def _met(move: Move) -> Seat:
    """The seat that would have to be on the same space."""
    match move:
        case act.RestFrom():
            return move.healed
        case act.LootDead():
            return move.source
        case act.GiveToken() | act.TradeCard():
            return move.to
        case _:
            return move.by


def _who_lacks(public: Island, move: Move) -> Seat:
    """The seat that has too little: the one that acts, the dead one that it loots, or the one that it would heal."""
    match move:
        case act.LootDead():
            return move.source
        case act.RestFrom() if not public.damage[move.healed - 1].get(move.kind, 0):
            return move.healed
        case _:
            return move.by


def _who_is_out(public: Island, move: Move) -> Seat:
    """Of the seats in a move, the one that is not on the map."""
    named = (move.by, *(getattr(move, key, TABLE) for key in ("to", "on", "seat")))
    out = (Seat(seat) for seat in named if isinstance(seat, int) and seat and _is_out(public, Seat(seat)))
    return next(out, move.by)


def _is_out(public: Island, seat: Seat) -> bool:
    return is_dead(public, seat) or seat in public.left


def kind(name: str) -> Text:
    """A token, a damage, or what is under a token."""
    return Text(f"lands.kind.{name}")


def _missing(setup: LandsSetup, public: Island, move: Move) -> str:
    """What a seat lacks."""
    wanted: tuple[str, ...] = ()
    seat = move.by
    match move:
        case act.CookMeat():
            wanted = ("meat",) * min(move.count, 99)
        case act.RelightFire():
            wanted = ("wood",)
        case act.CraftObject():
            wanted = project_price(setup, public, move.by, move.card)
        case act.RestFrom():
            hurting = public.damage[move.healed - 1].get(move.kind, 0)
            return heals_with(move) if hurting else move.kind
        case act.DrinkDirty():
            wanted = ("medicine",) if public.drinks[move.by - 1] else ("dirty-water", "medicine")
        case act.LootDead():
            wanted, seat = (move.kind or "nothing",), move.source
        case act.GiveToken() | act.ThrowToken() | act.ChangeDie():
            wanted = (move.kind,)
        case _:
            pass
    return next(iter((*missing(public, seat, wanted), *wanted)), "nothing")


def caption(setup: LandsSetup, public: Island, move: Move, step: Effect[Island]) -> tuple[Text, ...]:
    """The public text of a move; the end of the match first, then the consequences."""
    after = step.state
    texts: list[Text] = []
    if after.over:
        many = "nobody" if not after.left else "many" if len(after.left) > 1 else "one"
        texts.append(Text(f"lands.caption.wins.{many}", {"seats": sorted(after.left)}))
    texts.append(_act(setup, public, move))
    texts += _follows(setup, public, move, step)
    for seat in setup.seats:
        if is_dead(after, seat) and not is_dead(public, seat):
            texts.append(Text("lands.caption.dies", {"seat": seat}))
    if after.first != public.first and public.first and not isinstance(move, act.BeginDay):
        texts.append(Text("lands.caption.token", {"seat": after.first}))
    if after.night and not (public.night or after.over):
        texts.append(Text("lands.caption.falls_night"))
    return tuple(texts)


def _act(setup: LandsSetup, public: Island, move: Move) -> Text:
    params: dict[str, JSON] = {"seat": move.by}
    if move.subject is not None:
        params["card"] = move.subject
    key = move.do
    match move:
        case act.BeginDay():
            params = {"seat": move.seat, "n": public.day + 1}
        case act.Travel():
            params["space"] = move.to
        case act.PlaceFigure():
            params = {"seat": setup.stands.get(move.card, move.by), "space": move.to}
        case act.TellFacts() if move.card[0] == "M":
            params["n"] = len(move.spaces)
            key = "tell.tile"
        case act.GainItem():
            params["kind"] = kind(move.kind or "nothing")
            key = "gain.card" if move.card is not None else "gain"
        case act.LootDead():
            params |= {"other": move.source, "kind": kind(move.kind or "nothing")}
            key = "loot.card" if move.card is not None else "loot"
        case act.TradeCard():
            params["other"] = move.to
        case act.GiveToken():
            params |= {"other": move.to, "kind": kind(move.kind)}
        case act.RestFrom():
            params |= {"other": move.healed, "kind": kind(move.kind)}
        case act.GatherToken() | act.ThrowToken() | act.TakeDamage() | act.ChangeDie():
            params["kind"] = kind(move.kind)
        case act.CookMeat():
            params["n"] = move.count
        case act.CountThings():
            params |= {"kind": kind(move.kind), "n": move.n}
        case act.SetFire():
            params["space"] = move.space
            key = "fire.lit" if move.lit else "fire.out"
        case act.RollDice():
            params |= {"grey": move.grey, "red": move.red}
        case act.UseCard():
            params["n"] = move.points
            key = "use.card" if move.card is not None else "use"
        case _:
            pass
    return Text(f"lands.caption.{key}", params)


def _follows(setup: LandsSetup, public: Island, move: Move, step: Effect[Island]) -> Iterator[Text]:
    """The consequences of an act that the players must carry out."""
    match move:
        case act.Travel() if move.by == public.turn and public.day == 1:  # later players know it
            yield Text("lands.caption.arrives")
        case act.CraftObject():
            if paid := project_price(setup, public, move.by, move.card):
                yield Text("lands.caption.pays", {"kinds": [kind(one) for one in paid]})
            project = project_for(setup, public, move.by, move.card)
            if project is not None and project in public.packs[move.by - 1]:
                yield Text("lands.caption.new_project", {"seat": move.by})
        case act.DrinkDirty() if move.how == "die":
            harmful = move.die is not None and move.die <= HARMFUL
            yield Text("lands.caption.sick" if harmful else "lands.caption.healthy", {"seat": move.by})
        case act.ScoutTile():
            is_entered = bool(tile_spaces(setup, public, move.card))
            yield Text("lands.caption.tokens" if is_entered else "lands.caption.unknown_tile", {"card": move.card})
        case act.FleeFight() if step.state.fight is None:
            yield Text("lands.caption.flight", {"seat": move.by})
        case act.FleeFight() if step.state.fight is not None:
            yield Text("lands.caption.target", {"seat": step.state.fight.fighter})
        case act.TurnNight():
            yield from monsters(tribal(setup, public, move.card) != ())
        case act.AcceptDice() if public.fight is not None:
            yield from _settled(setup, public, step)
        case _:
            pass


def monsters(ignored: bool) -> tuple[Text, ...]:
    """U27, U28: « un monstre ne peut pas se déplacer … sur une zone inexploré », nor a card a grey one."""
    return () if ignored else (Text("lands.caption.monsters"),)


def _settled(setup: LandsSetup, public: Island, step: Effect[Island]) -> Iterator[Text]:
    """Damage on both sides, then death, flight or the next target (U31 to U34)."""
    fight, how = public.fight, step.extras["settled"]
    assert fight is not None
    params = {"card": fight.card, "seat": fight.fighter}
    yield Text("lands.caption.hit" if how["hit"] else "lands.caption.missed", params)
    if how["hurt"]:
        yield Text("lands.caption.skull", params)
    if how["dead"]:
        yield Text("lands.caption.beaten", params)
    elif how["fled"]:
        compass = setup.deck.compass
        to = f".{compass[how['fled'] - 1]}" if compass else ""
        yield Text(f"lands.caption.flees{to}", {**params, "n": how["fled"]})
    elif how["target"]:
        yield Text("lands.caption.target", {"seat": how["target"]})
