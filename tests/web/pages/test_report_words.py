"""The sentences of a stored match: a long one says the same again and again."""

from __future__ import annotations

from support.real_desk import WORDS

from companion.public.i18n import Names
from companion.public.text import JSON, Text
from web.language import Translator
from web.pages.match_report import DisputedMove, Moment, Report
from web.pages.report_words import ReportWords

NAMES = Names({"1-1": {"en": "Australopithecus"}, "2-1": {"en": "Homo erectus"}}, ("Ana", "Ben"))


class Counting(Translator):
    """Counts how often a rule is put into words."""

    def __init__(self) -> None:
        super().__init__(WORDS)
        self.rules = 0

    def say(self, text: Text, language: str, names: Names) -> str:
        self.rules += text.key.startswith("rule.")
        return super().say(text, language, names)


def report(refusals: int) -> Report:
    faults = tuple(
        DisputedMove(number, 1, "2-1", "place", (("prerequisites", ("1-1",)),), stood=False)
        for number in range(1, refusals + 1)
    )
    moments = tuple(Moment(one.number, (0, 0), fault=one, do="place", seat=1, card="2-1") for one in faults)
    return Report(("Ana", "Ben"), "fr-explore", (("1-1", "society"),), moments, (), faults, 1, 0, 0, game="discovery")


def test_a_rule_is_put_into_words_once_however_often_it_was_broken():
    translator, told = Counting(), report(50)
    nothing_told: dict[int, tuple[Text, ...]] = {}
    words = ReportWords(told, NAMES, nothing_told, translator, "en")
    why = {words.why(fault) for fault in told.faults}
    sentences = {words.moment(moment) for moment in told.moments}
    assert len(why) == len(sentences) == 1
    assert "Australopithecus" in why.pop()
    assert "Homo erectus" in sentences.pop()
    assert translator.rules == 1


def test_a_rule_without_a_sentence_is_told_as_it_was_at_the_table():
    params: dict[str, JSON] = {}
    fault = DisputedMove(1, 1, "2-1", "place", (("rule-of-a-stranger", ()),), stood=False)
    words = ReportWords(report(0), NAMES, {1: (Text("It does not fit.", params),)}, Translator(WORDS), "en")
    assert words.why(fault) == "It does not fit."
