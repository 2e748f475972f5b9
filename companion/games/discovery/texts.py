"""The referee's texts: keys and parameters for the reader's catalog."""

from __future__ import annotations

from companion.games.discovery import moves as act
from companion.games.discovery.effects.contest import cost_of_fault
from companion.games.discovery.effects.scoring import totals
from companion.games.discovery.explore import brings_points, pays_stop_by_discarding, steals_from_empty_stack
from companion.games.discovery.rules.contest import PLACEMENTS, StopCost
from companion.games.discovery.rules.legality import stalemate
from companion.games.discovery.rules.paragraphs import paragraph
from companion.games.discovery.rules.placement import seen_elsewhere
from companion.games.discovery.secrecy import (
    call_fails_by_itself,
    caller_may_give_up,
    says_that_it_was_placed,
    seen_place,
)
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import ContestableAct, Position, State
from companion.games.protocol import Effect, Move, Objection
from companion.public.table import CardId, Seat
from companion.public.text import Text


def reason(setup: Setup, public: Position, move: Move, objection: Objection) -> Text:
    """The text of an objection: the card's name first, then what to do about it."""
    rule = objection.rule
    special = _special(setup, public, move, rule)
    params: dict[str, object] = {
        "seat": move.by,
        "other": public.turn.seat,
        "cards": list(objection.cards),
        "profile": setup.profile.name,
        "rule": rule,
        "paragraph": paragraph(setup.profile, rule, special),
    }
    card = getattr(move, "stands_for", None) or getattr(move, "card", None) or getattr(move, "joker", None)
    if card is not None:
        params["card"] = card
        params["joker"] = getattr(move, "joker", card)
    if rule.startswith("must-") and public.owed:
        params["seat"] = public.owed[0].seat
    if rule == "contest-closed" and public.contest:
        params["other"] = public.contest.stopper
    if rule == "joker-link" and public.turn.bases:
        params["link"] = public.turn.bases[-1].card
    if rule in ("era-not-open", "era-not-closed"):
        named = setup.facts.get(CardId(str(card)))
        params["era"] = getattr(move, "era", named.era if named else "")
    return Text(f"discovery.objection.{rule}{special and '.' + special}", params)


def _special(setup: Setup, public: Position, move: Move, rule: str) -> str:
    """The case of a rule with its own text, which says why and what to do now."""
    match rule, move:
        case "turn", _ if public.turn.seat == move.by:
            return "ended"
        case "not-there", act.Steal() | act.Exchange() | act.Ask():
            return "nobody"
        case "not-there", _:
            named = getattr(move, "joker", None) or getattr(move, "card", None)
            place = named and seen_place(setup, public, named)
            return "pool" if place == "pool" else "discard" if place and place.startswith("discard-") else ""
        case "must-discard", _ if public.owed:
            return "asked" if public.owed[0].asked else ""
        case "must-discard", _:
            return "asked" if setup.profile.asked_duty and public.turn.asked else "unplaced"
        case "must-steal", _ if setup.profile.steals_at_start:
            return "start"
        case "must-place", _ if caller_may_give_up(setup):
            return "silent"
        case "era-not-open", act.Joker():
            return "joker"
        case "last-card", act.Exchange():
            return "exchange"
        case "joker-link", _:
            return "to" if public.turn.bases else ""
        case "joker-timing", act.Interrupt():
            return "interrupt"
        case "joker-card", act.Joker(stands_for=card) if card is not None:
            return "seen" if seen_elsewhere(setup, public, card) else ""
        case "contest-closed", act.Stop() if public.contest:
            return "said"
        case "no-stop", act.Stop(number=None) if any(kept.by != move.by for kept in public.acts):
            return "late"
        case "not-offered", act.Ask() if setup.in_teams:
            return "ask" if move.source in setup.teams[move.by - 1] and move.source != move.by else "mate"
        case "not-offered", act.Steal():
            return "steal"
        case "not-offered", _ if 1 <= move.by <= len(setup.players) and setup.bot(move.by):
            return "bot"
        case _:
            return ""


def caption(setup: Setup, public: Position, move: Move, step: Effect[State]) -> tuple[Text, ...]:
    """The public text of a move, with the reasons for its points; in silent games only the act."""
    after = step.state.position
    lines = [*_act(setup, public, move, step), *_wonders(setup, public, move, after)]
    stands_now = public.deciding_act and not after.deciding_act
    if after.over and (not public.over or stands_now or after.winners != public.winners):
        lines[:0] = _end(setup, after)
    elif public.over and not after.over:
        lines.insert(0, Text("discovery.caption.cancelled"))
    return tuple(lines) + step.score_reasons


def _wonders(setup: Setup, public: Position, move: Move, after: Position) -> tuple[Text, ...]:
    """Hints when play is stuck: after each full round of passes (A8), and after three rounds without a placement, when
    the players may agree to a draw (N4)."""
    there = len(setup.players) - len(after.away)
    if isinstance(move, act.Pass) and after.passes % there == 0 and not after.begun:
        return (Text("discovery.caption.all-passed"),)
    if stalemate(setup, after) and not after.over and not stalemate(setup, public):
        return (Text("discovery.caption.stalemate"),)
    return ()


def _end(setup: Setup, after: Position) -> tuple[Text, ...]:
    """The winners and their points, the most first."""
    if not after.winners:
        return (Text("discovery.caption.draw"),)
    many = "many" if len(after.winners) > 1 else "one"
    kind = "wins-unless" if after.deciding_act else "wins"
    who = Text(f"discovery.caption.{kind}.{many}", {"seats": list(after.winners)})
    if not brings_points(setup):
        return (who,)
    points = totals(setup, after)
    pooled = {team: sum(points[mate - 1] for mate in team) for team in setup.teams}  # a team's points are added (I4)
    ranked = sorted(pooled, key=lambda team: -pooled[team])
    each = [Text("discovery.caption.final.one", {"seats": list(team), "points": pooled[team]}) for team in ranked]
    return who, Text("discovery.caption.final", {"points": each})


def _act(setup: Setup, public: Position, move: Move, step: Effect[State]) -> tuple[Text, ...]:
    match move:
        case act.Deal():
            return (Text("discovery.caption.deal", {"seat": public.turn.seat}),)
        case act.Place():
            key = "place" if says_that_it_was_placed(setup) else "laid"
            return (Text(f"discovery.caption.{key}", _who(move, move.card)),)
        case act.Joker(stands_for=None):
            return (Text("discovery.caption.joker-outside", {"seat": move.by}),)
        case act.Joker():
            return (Text("discovery.caption.joker", {"seat": move.by, "card": move.stands_for}),)
        case act.Call():
            undrawn = _undrawn(setup, public, step.state.position, move.by) if step.extras.get("failed") else ()
            return (_called(setup, public, move, step), *undrawn)
        case act.Discard(card=card) if card == public.turn.called:
            undrawn = _undrawn(setup, public, step.state.position, move.by)
            return (Text("discovery.caption.give-up", _who(move, card)), *undrawn)
        case act.Announce():
            return (Text(f"discovery.caption.announce.{move.what}", {"seat": move.by, "era": move.era}),)
        case act.Stop():
            contest = step.state.position.contest
            other = contest.act.by if contest else move.by
            nobody = setup.bot(other) or other in public.away
            return (Text(f"discovery.caption.stop{'.bot' if nobody else ''}", {"seat": move.by, "other": other}),)
        case act.EndTurn() if (drawn := step.state.position.held(move.by) - public.held(move.by)) > 0:
            return (Text("discovery.caption.end_turn.draws", {"seat": move.by, "n": drawn}),)
        case act.Verify() | act.Concede():
            return _answer(setup, public, move, step)
        case act.Flip():
            return _flipped(setup, move, step)
        case act.Steal() | act.Exchange() | act.Ask():
            return (Text(f"discovery.caption.{move.do}", {"seat": move.by, "other": move.source}),)
        case act.Discard() | act.Refill():
            return (Text(f"discovery.caption.{move.do}", _who(move, move.card)),)
        case act.Uncontested():
            return ()
        case _:
            return (Text(f"discovery.caption.{move.do}", {"seat": move.by}),)


def _who(move: Move, card: CardId) -> dict[str, object]:
    return {"seat": move.by, "card": card}


def _called(setup: Setup, public: Position, move: act.Call, step: Effect[State]) -> Text:
    """A failed call: why, what happened to the card, and that the turn ends by drawing."""
    params = _who(move, move.card)
    failed = step.extras.get("failed")
    if not failed:
        silent = "" if call_fails_by_itself(setup) else ".silent"
        return Text(f"discovery.caption.call{silent}", params)
    key = f"discovery.caption.call.{failed}"
    if failed == "prerequisites":
        params |= {"cards": list(setup.required(move.card, public.present))}
    if failed == "not-there":
        place = seen_place(setup, public, move.card)
        if place == "pool" or (place and place.startswith("discard-")):
            key += ".seen"
        elif move.holder == move.by:
            key += ".own"
    return Text(key, params)


def _answer(setup: Setup, public: Position, move: Move, step: Effect[State]) -> tuple[Text, ...]:
    """Who was right and what it costs, what verifying brought out (K12), and which card to pull out (L4)."""
    contest = public.contest
    if contest is None:
        return ()
    card, after = contest.act.card, step.state.position
    faults = step.state.hidden_objections.get(contest.act.number, ())
    params: dict[str, object] = {"seat": contest.act.by, "other": contest.stopper}
    if isinstance(move, act.Verify) and (not faults if move.found is None else move.found):
        undrawn = () if public.over else _undrawn(setup, public, after, contest.stopper)
        cost = "-discard" if pays_stop_by_discarding(setup) else "" if undrawn else "-draw"
        return (Text(f"discovery.caption.proven{'' if public.over else cost}", params), *undrawn)
    key = "discovery.caption.concede" if isinstance(move, act.Concede) else "discovery.caption.fault"
    cost = _COSTS[cost_of_fault(setup, public, contest)]
    undrawn = _undrawn(setup, public, after, contest.act.by) if cost and cost != "card" else ()
    if undrawn:
        cost = {"both": "card", "another": ""}.get(cost, cost)
    lines = [Text(f"{key}-{cost}" if cost else key, params), *undrawn]
    if isinstance(move, act.Verify) and move.found is None:  # players who verified by hand get no details
        lines += [_fault(setup, contest.act, fault) for fault in faults]
    if card and contest.act.do in PLACEMENTS and card in after.discard(contest.act.by):
        lines.append(Text("discovery.caption.pull-out", {"card": card, "seat": contest.act.by}))
    return tuple(lines)


def _undrawn(setup: Setup, public: Position, after: Position, seat: Seat) -> tuple[Text, ...]:
    """What replaces a draw from an empty stack: a steal (E2), or nothing (E3)."""
    owes, owed = (sum((one.seat, one.do) == (seat, "steal") for one in now.owed) for now in (after, public))
    if steals_from_empty_stack(setup) and (
        owes > owed or (setup.bot(seat) and setup.profile.bot_steals and not public.stack)
    ):
        return (Text("discovery.caption.steals-instead", {"seat": seat}),)
    return () if public.stack else (Text("discovery.caption.stack-empty", {"seat": seat}),)


_COSTS = {
    StopCost(): "",
    StopCost(card=True): "card",
    StopCost(draw=True): "another",
    StopCost(card=True, draw=True): "both",
    StopCost(fill_up=True): "placed",
    StopCost(discard=True): "discard",
}
"""By which words a caption says the cost of a justified Stop (K6-K9)."""


def _fault(setup: Setup, contested: ContestableAct, fault: Objection) -> Text:
    """What verifying revealed, and no more than that (K12)."""
    section = paragraph(setup.profile, fault.rule, contested.do)
    params = {"seat": contested.by, "cards": list(fault.cards), "rule": fault.rule, "paragraph": section}
    if contested.card is not None:
        params |= {"card": contested.card, "joker": contested.card}
    key = f"discovery.verdict.{fault.rule}"
    if fault.rule in ("already-placed", "not-there", "era-not-open"):
        key += ".call" if contested.do == "call" else ".card" if contested.do in PLACEMENTS else ".said"
    return Text(key, params)


def _flipped(setup: Setup, move: act.Flip, step: Effect[State]) -> tuple[Text, ...]:
    after = step.state.position
    if move.card in setup.jokers:
        key = "flip.joker"
    elif step.extras.get("held"):
        key = "flip.held"
    elif not says_that_it_was_placed(setup):
        key = "laid"
    elif any(laid.card == move.card for laid in after.tree):
        key = "place"
    else:
        key = "discard"
    return (Text(f"discovery.caption.{key}", _who(move, move.card)),)
