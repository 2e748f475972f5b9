"""The sentences on the page of a stored match."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from companion.public.i18n import Names
from companion.public.text import JSON, Text
from web.language import Translator
from web.pages.match_report import DisputedMove, Moment, Report


class ReportWords:
    """What the page of a stored match says about its moments, in one language.

    A long match says the same again and again: acts and rules are put into words once.

    Args:
        told: By entry, what was announced about it.
    """

    def __init__(
        self,
        report: Report,
        names: Names,
        told: Mapping[int, tuple[Text, ...]],
        translator: Translator,
        language: str,
    ) -> None:
        self._report = report
        self._names = names
        self._told = told
        self._translator = translator
        self._language = language
        self._key = cache(self._looked_up_key)
        self._rule = cache(self._said_rule)
        self.act = cache(self._said_act)

    def moment(self, moment: Moment) -> str:
        """What happened, in a sentence; if the report has no text of its own, what the players were shown then."""
        report, names, told = self._report, self._names, self._told.get(moment.number, ())
        who = names.seat(moment.seat) if moment.seat else ""
        plain = not report.profile  # a game without pages of its own: what was told is all that is said of its moves
        if told and (moment.card or plain) and not moment.fault and not (moment.came and moment.seat):
            sentence = self._said(told)
            unnamed = plain and who and not any("seat" in text.params for text in told)
            return self._by(who, sentence) if unnamed else sentence
        if moment.came:
            came = moment.came
            return self._say("report.laid", who=names.seat(came.seat), card=came.card)
        if moment.fault and not moment.fault.stood:
            why = self.why(moment.fault)
            if told and not self._has_names(moment.fault):
                return self._by(who, why) if who else why
            what = names.card(moment.card, self._language) if moment.card else self.act(moment.do)
            return self._say("report.refused", who=who, what=what, why=why)
        if moment.went:
            return self._say("report.went", card=moment.went)
        what = self.act(moment.do)
        if what and moment.card:
            what = f"{what}, {names.card(moment.card, self._language)}"
        if what and who:
            return self._by(who, what)
        return what or (self._said(told) if told else self._say("report.then"))

    def turning_point(self) -> str:
        """Who took the lead for good, and with what; empty without points or without a single winner."""
        report = self._report
        leads = report.leads()
        if not leads or report.leader(-1) is None:
            return ""
        place = leads[-1]
        moment = report.moments[place]
        who = self._names.seat(report.leader(place) or 0)
        card = moment.came.card if moment.came else None
        return self._say("report.turn", who=who) if card is None else self._say("report.turn.with", who=who, card=card)

    def why(self, fault: DisputedMove) -> str:
        """The rules against a move; what the players were told then, if the catalogs do not name all of them."""
        told = self._told.get(fault.number, ())
        if told and not self._has_names(fault):
            return self._said(told)
        return "; ".join(self._rule(rule, cards) for rule, cards in fault.objections)

    def own(self, key: str) -> str:
        """The game's own key of a statistic in the report, if it has one."""
        own = f"report.figures.{self._report.game}.{key.removeprefix('report.').removeprefix('figures.')}"
        return own if self._translator.knows(own) else key

    def _said_act(self, do: str) -> str:
        """The name of an action without a card."""
        key = self._key("js.", f"do.{do}")
        return "" if key is None else self._translator.word(key, self._language)

    def _has_names(self, fault: DisputedMove) -> bool:
        return all(self._key("rule.", rule) is not None for rule, _ in fault.objections)

    def _said_rule(self, rule: str, cards: tuple[str, ...]) -> str:
        key = self._key("rule.", rule)
        return rule if key is None else self._say(key, cards=list(cards))

    def _looked_up_key(self, before: str, key: str) -> str | None:
        """The key of a game's own text, else of the text for all games; ``None`` = there is neither."""
        keys = (f"{before}{self._report.game}.{key}", f"{before}{key}")
        return next((one for one in keys if self._translator.knows(one)), None)

    def _said(self, told: tuple[Text, ...]) -> str:
        return " ".join(self._translator.say(text, self._language, self._names) for text in told)

    def _by(self, who: str, what: str) -> str:
        return self._translator.word("js.by", self._language, who=who, what=what)

    def _say(self, key: str, **params: JSON) -> str:
        return self._translator.say(Text(key, params), self._language, self._names)
