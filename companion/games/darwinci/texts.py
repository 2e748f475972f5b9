"""What the referee says: a key and its parameters, put into words by the reader's catalog."""

from __future__ import annotations

from collections import Counter

from companion.games.darwinci import moves as act
from companion.games.darwinci.effects.bidding import unsold
from companion.games.darwinci.effects.plots import cost
from companion.games.darwinci.rules.awards import awards, way_home
from companion.games.darwinci.rules.legality import closes
from companion.games.darwinci.rules.stones import most, owed
from companion.games.darwinci.setup import DarwinciSetup, is_big
from companion.games.darwinci.state import Dig, WonTile, plot_of
from companion.games.protocol import Effect, Move, Objection
from companion.public.table import TABLE, CardId, Seat
from companion.public.text import Text


def reason(setup: DarwinciSetup, public: Dig, move: Move, objection: Objection) -> Text:
    """Words for an objection, with what to do about it."""
    rule = objection.rule
    common = {"seat": move.by, "cards": list(objection.cards), "n": len(objection.cards)}
    params: dict[str, object] = {**common, "rule": objection.rule}
    card = getattr(move, "card", None)
    if card is not None:
        params["card"] = card
    match rule:
        case "turn":
            params["seat"] = public.turn
            rule = "turn" if public.turn else "turn.none"
        case "duty":
            params["n"] = owed(setup, public)
        case "too-many":
            params["n"] = most(public)
        case "winner":
            params["seat"] = _winner(setup, public, card)
            rule = "winner" if params["seat"] else "winner.none"
        case _:
            pass
    return Text(f"darwinci.objection.{rule}", params)


def _winner(setup: DarwinciSetup, public: Dig, card: CardId | None) -> Seat:
    """Who won a tile; while the last turn is open, who wins it if nothing is bid any more."""
    won = {**public.won, **(awards(setup, public) if closes(setup, public) else {})}
    return won[card].winner if card in won else TABLE


def caption(setup: DarwinciSetup, public: Dig, move: Move, step: Effect[Dig]) -> tuple[Text, ...]:
    """Public words for a move just played; the winners of the match first, then what follows from it."""
    texts: list[Text] = []
    if step.state.over:
        many = "many" if len(step.state.winners) > 1 else "one"
        texts.append(Text(f"darwinci.caption.wins.{many}", {"seats": list(step.state.winners)}))
    texts.append(_act(setup, public, move))
    if isinstance(move, act.LayBone) and not plot_of(public, move.card) and cost(setup, move.card):
        texts.append(_money("pays", move.by, cost(setup, move.card)))
        if step.state.darwin[move.by - 1] < 0:
            texts.append(_money("debt", move.by, -step.state.darwin[move.by - 1]))
    if "awards" in step.extras:
        texts += _awards(setup, public, step.state)
    if step.state.holder != public.holder and public.holder != TABLE:
        texts.append(Text("darwinci.caption.holder", {"seat": step.state.holder}))
    return tuple(texts)


def _money(what: str, seat: Seat, amount: int) -> Text:
    return Text(f"darwinci.caption.{what}", {"seat": seat, "n": amount})


def _act(setup: DarwinciSetup, public: Dig, move: Move) -> Text:
    params: dict[str, object] = {"seat": move.by}
    if move.subject is not None:
        params["card"] = move.subject
    match move:
        case act.DealPlots():
            return Text("darwinci.caption.deal", {"seat": setup.right_of(move.darwin)})
        case act.BidStone():
            return Text("darwinci.caption.bid", {**params, "other": move.to, "stone": stone(setup, move.card)})
        case act.CountJewel():
            return Text("darwinci.caption.income", {**params, "jewel": jewel(move.jewel), "n": move.amount})
        case act.SizeCreature():
            return Text("darwinci.caption.creature", {**params, "n": move.size})
        case act.EndBids() if not public.bid:
            return Text("darwinci.caption.lays_nothing", params)
        case _:
            return Text(f"darwinci.caption.{move.do}", params)


def stone(setup: DarwinciSetup, card: CardId) -> Text:
    """A stone by colour and size; its number says nothing."""
    size = "big" if is_big(card) else "small"
    return Text(f"darwinci.stone.{size}.{setup.colours[setup.owners[card] - 1]}")


def jewel(name: str) -> Text:
    """A jewel by its colour."""
    return Text(f"darwinci.jewel.{name}")


def _awards(setup: DarwinciSetup, public: Dig, after: Dig) -> list[Text]:
    """Who won what, which stones go to whom, and who begins next."""
    won = awards(setup, public)
    texts = [
        Text("darwinci.caption.won", {"card": card, "seat": tile.winner})
        for card, tile in won.items()
        if tile.winner != TABLE
    ]
    texts += [Text("darwinci.caption.unsold", {"card": card}) for card in unsold(won)]
    texts += [text for tile in won.values() for text in stones_home(setup, public, tile)]
    return [*texts, Text("darwinci.caption.first", {"seat": after.first})]


def stones_home(setup: DarwinciSetup, public: Dig, tile: WonTile) -> list[Text]:
    """Which stones beside a tile go into whose reserve; any of a colour will do."""
    home = way_home(setup, public, tile.seller, tile.winner)
    counts = Counter((to, setup.owners[card], is_big(card)) for card, to in sorted(home.items()))
    return [
        Text(
            f"darwinci.caption.home.{'big' if big else 'small'}.{setup.colours[owner - 1]}",
            {"seat": to, "other": tile.seller, "n": count},
        )
        for (to, owner, big), count in sorted(counts.items())
    ]
