"""The referee's texts: keys and parameters for the reader's catalog."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from companion.games.darwinci import moves as act
from companion.games.darwinci.deck import JEWELS
from companion.games.darwinci.effects.bidding import unsold
from companion.games.darwinci.effects.plots import cost
from companion.games.darwinci.moves import offer
from companion.games.darwinci.rules.awards import awards, way_home
from companion.games.darwinci.rules.legality import MOST_INCOME
from companion.games.darwinci.rules.stones import most, owed
from companion.games.darwinci.setup import DarwinciSetup, is_big
from companion.games.darwinci.state import JEWELS_OF_A_COLOUR, TURNS, Dig, WonTile, jewels_left, plot_of, stones_in
from companion.games.protocol import Effect, Move, Objection
from companion.public.table import TABLE, CardId, Seat
from companion.public.text import Text


def reason(setup: DarwinciSetup, public: Dig, move: Move, objection: Objection) -> Text:
    """The text of an objection, with what to do about it."""
    rule = objection.rule
    common = {"seat": move.by, "cards": list(objection.cards), "n": len(objection.cards)}
    params: dict[str, object] = {**common, "rule": objection.rule}
    card = getattr(move, "card", None)
    if card is not None:
        params["card"] = card
    match rule:
        case "deal" if isinstance(move, act.DealPlots):
            rule, params["n"] = "deal.shares", setup.small - 2
        case "side" if isinstance(move, act.DealPlots):
            rule = "side.deal"
        case "turn":
            rule = _not_at_turn(setup, public, move, params)
        case "order" if isinstance(move, act.LayBone):
            params["seat"] = _winner(setup, public, card) if public.bidding == TURNS else TABLE
            rule = "winner" if params["seat"] not in (TABLE, move.by) else "order.lay"
        case "money":
            params["n"] = public.darwin[move.by - 1]
        case "duty":
            params["n"] = owed(setup, public)
        case "too-many":
            params["n"] = most(public)
            rule = "too-many.foreign" if public.bidding == 1 else "too-many"
        case "winner":
            params["seat"] = _winner(setup, public, card)
            rule = "winner" if params["seat"] else "winner.none"
        case "game-over" if not public.over:
            rule = "game-over.round"
        case "not-there":
            rule = _not_there(public, move)
        case "not-offered":
            rule = _not_offered(public, move, params)
        case _:
            pass
    return Text(f"darwinci.objection.{rule}", params)


def _not_at_turn(setup: DarwinciSetup, public: Dig, move: Move, params: dict[str, object]) -> str:
    """The seat to move; or the seat that owes stones before the early seat may continue."""
    params |= {"seat": public.turn, "other": move.by}
    if not public.turn or move.by not in setup.seats:
        return "turn.none"
    waits_for = setup.clockwise_from(public.turn)
    for seat in waits_for[: waits_for.index(move.by)]:
        then = public if seat == public.turn else replace(public, turn=seat, bid=())
        if isinstance(move, act.BidStone) and owed(setup, then):
            params |= {"seat": seat, "n": owed(setup, then)}
            return "turn.owes"
    return "turn"


def _not_there(public: Dig, move: Move) -> str:
    match move:
        case act.DealPlots():
            return "not-there.deal"
        case act.OfferTile():
            return "not-there.hand"
        case act.LayBone() if move.card in public.won or move.card in public.gone:
            return "not-there.taken"
        case act.LayBone() | act.DropBone():
            return "not-there.won"
        case _:
            return "not-there"


def _not_offered(public: Dig, move: Move, params: dict[str, object]) -> str:
    match move:
        case act.CountJewel() if move.jewel in JEWELS and not jewels_left(public, move.jewel):
            params["n"] = JEWELS_OF_A_COLOUR
            return "not-offered.jewels"
        case act.CountJewel():
            params["n"] = MOST_INCOME
            return "not-offered.income"
        case act.SizeCreature():
            params["n"] = len(public.plots[move.by - 1])
            return "not-offered.creature"
        case _:
            return "not-offered" if move.by else "not-offered.table"


def _winner(setup: DarwinciSetup, public: Dig, card: CardId | None) -> Seat:
    """The winner of a tile; in the third turn, the winner if there are no more bids."""
    won = {**public.won, **(awards(setup, public) if public.bidding == TURNS else {})}
    return won[card].winner if card in won else TABLE


def caption(setup: DarwinciSetup, public: Dig, move: Move, step: Effect[Dig]) -> tuple[Text, ...]:
    """The public text of a move; the winners of the match first, then the consequences."""
    texts: list[Text] = []
    if step.state.over:
        many = "many" if len(step.state.winners) > 1 else "one"
        texts.append(Text(f"darwinci.caption.wins.{many}", {"seats": list(step.state.winners)}))
    sold = _awards(setup, public, step.state) if "awards" in step.extras else []
    texts += sold[:1]  # what the round brought comes before the turn that ended it
    texts.append(_act(setup, public, move))
    if isinstance(move, act.LayBone) and not plot_of(public, move.card) and cost(setup, move.card):
        texts.append(_money("pays", move.by, cost(setup, move.card)))
        if step.state.darwin[move.by - 1] < 0:
            texts.append(_money("debt", move.by, -step.state.darwin[move.by - 1]))
    texts += sold[1:]
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
    """A stone by colour and size, without its number, which has no meaning."""
    size = "big" if is_big(card) else "small"
    return Text(f"darwinci.stone.{size}.{setup.colours[setup.owners[card] - 1]}")


def jewel(name: str) -> Text:
    """A jewel by its colour."""
    return Text(f"darwinci.jewel.{name}")


def _awards(setup: DarwinciSetup, public: Dig, after: Dig) -> list[Text]:
    """Who won how many tiles; then each sale, the next first player, and the return of stones."""
    won = awards(setup, public)
    sold = [tile for tile in won.values() if tile.winner != TABLE]
    counts = Counter(tile.winner for tile in sold)
    wins = [Text("darwinci.caption.takes", {"seat": seat, "n": n}) for seat, n in counts.most_common()]
    texts = [Text("darwinci.caption.sold", {"wins": wins}) if wins else Text("darwinci.caption.sold.none")]
    texts += [
        Text("darwinci.caption.won", {"seat": tile.winner, "other": tile.seller, "n": _bid(setup, public, tile)})
        for tile in sold
    ]
    texts += [Text("darwinci.caption.unsold", {"other": won[card].seller}) for card in unsold(won)]
    texts.append(Text("darwinci.caption.first", {"seat": after.first}))
    return [*texts, *(text for tile in won.values() for text in stones_home(setup, public, tile))]


def _bid(setup: DarwinciSetup, public: Dig, tile: WonTile) -> int:
    """Number of stones of the winner's colour beside a tile."""
    return sum(setup.owners[card] == tile.winner for card in stones_in(public, offer(tile.seller)))


def stones_home(setup: DarwinciSetup, public: Dig, tile: WonTile) -> list[Text]:
    """The new reserves of the stones beside a tile; stones of a colour are interchangeable."""
    home = way_home(setup, public, tile.seller, tile.winner)
    counts = Counter((to, setup.owners[card], is_big(card)) for card, to in sorted(home.items()))
    return [
        Text(
            f"darwinci.caption.home.{'big' if big else 'small'}.{setup.colours[owner - 1]}",
            {"seat": to, "other": tile.seller, "n": count},
        )
        for (to, owner, big), count in sorted(counts.items())
    ]
