"""Open questions on the phones: their texts, and the meaning of each answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from companion.games.protocol import Move
from companion.history.events import Origin
from companion.public.table import CardId, Change, Seat
from companion.public.text import Text
from companion.public.updates import AnswerOption, Question
from companion.referee.commands import Allow, Claim, Command, DoneBefore, LaidAnew, MakeMove, TellTurn, Undo

MOST_ANSWERS = 3
"""Of one question; what has more is asked in several."""
ABOUT_ACTS = (MakeMove, Claim, TellTurn, Allow)
"""The commands that say which acts there were, or whose."""
FORGOTTEN_AFTER = 20
"""After so many more entries nobody thinks of it any more; hands are counted, if anybody doubts them."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """One open question.

    Attributes:
        question: As the phones show it.
        meanings: For each answer, the commands that it stands for.
        change: The difference in question; when it disappears, so does the question.
        until: The question is dropped when the log reaches this entry; ``None`` = only with the difference.
        about: It asks whose acts those since this entry were, and ends when that is certain.
        is_offer: Nobody has to answer: play goes on as it says, and people may contradict. The lamp does not wait.
        fades: When the log reaches this entry, play has gone on, and it is asked of what has passed.
    """

    question: Question
    meanings: tuple[tuple[Command, ...], ...]
    change: Change | None
    until: int | None = None
    about: int | None = None
    is_offer: bool = False
    fades: int | None = None

    @property
    def proposals(self) -> tuple[tuple[Move, ...], ...]:
        """The moves of each answer that consists of moves only."""
        proposed = [tuple(one.move for one in meaning if isinstance(one, MakeMove)) for meaning in self.meanings]
        whole = zip(proposed, self.meanings, strict=True)
        return tuple(moves for moves, meaning in whole if moves and len(moves) == len(meaning))

    def postponed(self, number: int) -> OpenQuestion:
        """The same question, if it was open until this entry, until the next."""
        until = number + 1 if self.until == number else self.until
        return replace(self, until=until, fades=number + 1 if self.fades == number else self.fades)

    def faded(self) -> OpenQuestion:
        """The same question asked of what has passed."""
        text = Text("referee.over_before", self.question.text.params)
        return replace(self, question=replace(self.question, text=text))

    @property
    def hangs(self) -> bool:
        """Whether it waits for an answer that says which acts there were, or whose."""
        return self.question.hangs


def _whose(seat: Seat, turn: Seat | None) -> AnswerOption:
    """The answer that an act is this seat's; if it is that seat's turn, then its next one's."""
    return AnswerOption(Text("referee.next_turn" if seat == turn else "referee.its_turn", {"seat": seat}))


@dataclass
class Questions:
    """All open questions, by number; numbers are not reused.

    >>> questions = Questions()
    >>> questions.ask(Text("referee.which"), [(AnswerOption(Text("referee.yes")), ())] * 4, None)
    (1, 2)
    >>> [question.number for question in questions.for_phones()]
    [1, 2]
    """

    open: dict[int, OpenQuestion] = field(default_factory=dict)
    _last: int = 0

    def ask(
        self,
        text: Text,
        answers: Sequence[tuple[AnswerOption, tuple[Command, ...]]],
        change: Change | None,
        until: int | None = None,
        *,
        about: int | None = None,
        is_offer: bool = False,
        fades: int | None = None,
    ) -> tuple[int, ...]:
        """Ask, in as many questions as the answers need, and in none without any; returns their numbers."""
        first = self._last + 1
        for few in range(0, len(answers), MOST_ANSWERS):
            self._last += 1
            these = answers[few : few + MOST_ANSWERS]
            meanings = tuple(meaning for _, meaning in these)
            hangs = not is_offer and any(isinstance(one, ABOUT_ACTS) for meaning in meanings for one in meaning)
            question = Question(self._last, text, tuple(answer for answer, _ in these), hangs)
            self.open[self._last] = OpenQuestion(question, meanings, change, until, about, is_offer, fades)
        return tuple(range(first, self._last + 1))

    def ask_whole_round(self, mend: Sequence[Move], change: Change | None, number: int) -> Text:
        """Ask whether a whole round of turns has ended in which nobody did anything.

        Args:
            mend: The ends of turns, then the refused move.
            number: The entry that the refused move is about to become; without a difference that could disappear, the
                question ends with the next one.
        """
        question = Text("referee.turn_again", {"seat": mend[-1].by})
        moves = tuple(MakeMove(move, Origin.PHONE) for move in mend)
        self.ask(question, [(AnswerOption(Text("referee.yes")), moves)], change, None if change else number + 1)
        return question

    def ask_whose_turn(self, seats: Sequence[Seat], turn: Seat | None, change: Change | None, number: int) -> Text:
        """Ask whose an act is for which only ends of turns were forgotten.

        Args:
            seats: Whose it may be, in the order of their turns.
            turn: Whose turn it is as far as is known; if the act is that seat's, it is of its next turn.
            number: As for ``ask_whole_round``.
        """
        question = Text("referee.turn_again" if seats[0] == turn else "referee.whose_turn", {"seat": seats[0]})

        texts = [AnswerOption(Text("referee.yes")), *(_whose(seat, turn) for seat in seats[1:])]
        answers = [(text, (Claim(seat, number, Origin.PHONE),)) for text, seat in zip(texts, seats, strict=True)]
        self.ask(question, answers, change, None if change else number + 1)
        return question

    def ask_whose_card(
        self,
        claim: Claim,
        card: CardId | None,
        says: Move,
        change: Change | None,
        number: int,
        seats: Sequence[Seat] = (),
    ) -> Text:
        """Ask whether a card was laid by another seat, which would make lawful what somebody says or lays now.

        Args:
            card: ``None`` for the last one.
            number: The entry that the refused move is about to become.
            seats: Whose that may be if they have laid nothing.
        """
        named = {} if card is None else {"card": card}
        key = "referee.whose_card" if card is None else "referee.whose_card_was"
        question = Text(key, {"seat": claim.by, **named})
        meaning = (claim, MakeMove(says, Origin.PHONE)) if change is None else (claim,)
        answers: list[tuple[AnswerOption, tuple[Command, ...]]] = [(AnswerOption(Text("referee.yes")), meaning)]
        answers += [
            (AnswerOption(Text("referee.laid_nothing", {"seat": seat})), (Claim(seat, number, Origin.PHONE),))
            for seat in seats
        ]
        self.ask(question, answers, change, number + 1 if change is None else None)
        return question

    def offer_other_seats(self, card: CardId, by: Seat, others: Sequence[Seat], number: int) -> Text:
        """Say for whom a card counts that could be several seats', and let people say that it was another's.

        Args:
            number: The entry that the card is about to become.
        """
        text = Text("referee.counts_for", {"seat": by, "card": card})
        answers = [
            (AnswerOption(Text("referee.was_theirs", {"seat": seat})), (Claim(seat, number, Origin.PHONE),))
            for seat in others
        ]
        self.ask(text, answers, None, number + FORGOTTEN_AFTER, about=number, is_offer=True)
        return text

    def offer_card_before(self, card: CardId, by: Seat, other: Seat, number: int, until: int) -> None:
        """A turn was over, and nobody had said so: let people say that a card before that was the next seat's.

        Args:
            number: The card's entry.
            until: The entry with which play goes on.
        """
        text = Text("referee.counts_for", {"seat": by, "card": card})
        answer = AnswerOption(Text("referee.was_theirs", {"seat": other}))
        self.ask(text, [(answer, (Claim(other, number, Origin.PHONE),))], None, until, is_offer=True)

    def offer_ordinary_turn(self, passed: Move, ends: Move, number: int) -> None:
        """A seat is held to have passed; let people say that it had an ordinary turn.

        Args:
            number: The entry that the pass is about to become.
        """
        text = Text("referee.passed", {"seat": passed.by})
        answer = AnswerOption(Text("referee.ordinary_turn", {"seat": passed.by}))
        self.ask(text, [(answer, (DoneBefore(number, ends),))], None, number + FORGOTTEN_AFTER, is_offer=True)

    def offer_next_turn(self, moves: Sequence[Move], number: int) -> Text:
        """Let people say that a thing was laid in the same seat's next turn: all others had left theirs out.

        Args:
            moves: The ends of turns, then the move.
            number: The entry that the move is about to become.
        """
        text = Text("referee.still_turn", {"seat": moves[-1].by})
        said = tuple(MakeMove(move, Origin.PHONE) for move in moves)
        answer = AnswerOption(Text("referee.next_turn", {"seat": moves[-1].by}))
        self.ask(text, [(answer, (Undo(number), *said))], None, number + 1, is_offer=True)
        return text

    def offer_laid_anew(self, card: CardId, acts: Sequence[tuple[AnswerOption, tuple[Move, ...]]], number: int) -> None:
        """Say that a thing was laid back, and let people say what else it was.

        Args:
            acts: Each other act in words, and its moves.
            number: The entry with which it was taken off.
        """
        answers = [(text, (LaidAnew(number, moves),)) for text, moves in acts]
        self.ask(Text("referee.laid_back", {"card": card}), answers, None, is_offer=True)

    def end_laid_anew(self, matters: Callable[[LaidAnew], bool]) -> None:
        """Take out the answers that do not matter any more to what was laid back, and the questions without others."""

        def left(opened: OpenQuestion) -> OpenQuestion | None:
            asked = zip(opened.question.answers, opened.meanings, strict=True)
            stays = [
                (answer, meaning)
                for answer, meaning in asked
                if all(matters(one) for one in meaning if isinstance(one, LaidAnew))
            ]
            if len(stays) == len(opened.meanings):
                return opened
            question = replace(opened.question, answers=tuple(answer for answer, _ in stays))
            return (
                replace(opened, question=question, meanings=tuple(meaning for _, meaning in stays)) if stays else None
            )

        after = ((number, left(opened)) for number, opened in self.open.items())
        self.open = {number: opened for number, opened in after if opened is not None}

    def offer_later_turns(self, turn: Seat, later: Sequence[tuple[Seat | None, tuple[Move, ...]]], number: int) -> Text:
        """Say whose turn it is, and let people say that more turns are over.

        Args:
            later: Whose turn it is then, ``None`` when all are over, and the ends of the turns before.
            number: The entry with which play goes on.
        """
        text = Text("referee.passed_on", {"seat": turn})
        answers = [
            (
                AnswerOption(Text("referee.turns_over") if seat is None else Text("referee.its_turn", {"seat": seat})),
                tuple(MakeMove(end, Origin.PHONE) for end in ends),
            )
            for seat, ends in later
        ]
        self.ask(text, answers, None, number, is_offer=True)
        return text

    def ask_unread(self, move: Move, place: Text, number: int) -> Text:
        """Ask about a move that lacks a card, which may lie in an unreadable place.

        Args:
            place: Where that is, in words.
            number: The entry that the move is about to become.
        """
        question = Text("referee.unread_first", {"seat": move.by, "place": place})
        meaning = (Allow(number, origin=Origin.PHONE),)
        answers: list[tuple[AnswerOption, tuple[Command, ...]]] = [
            (AnswerOption(Text("referee.go_on")), meaning),
            (AnswerOption(Text("referee.wait")), ()),
        ]
        self.ask(question, answers, None, number + 1)
        return question

    def ask_turn(self, seats: Sequence[Seat], seconds: int, number: int) -> tuple[int, ...]:
        """Ask whose turn it is, after this many seconds out of sight; returns the numbers of the questions.

        Any number of turns may have ended meanwhile, so every seat is among the answers.

        Args:
            number: The first entry since then.
        """
        text = Text("referee.missed_turn", {"seconds": seconds})
        answers = [(AnswerOption(Text("referee.its_turn", {"seat": seat})), (TellTurn(seat),)) for seat in seats]
        return self.ask(text, answers, None, about=number)

    def ask_unseen(self, move: Move, change: Change, number: int) -> Text:
        """Ask about a card that appeared while the table was out of sight and seems unlawful.

        Args:
            number: The entry that the move is about to become.
        """
        question = Text("referee.unseen_card", {"seat": move.by, "card": change.card})
        self.ask(question, [(AnswerOption(Text("referee.it_counts")), (Allow(number),))], change)
        return question

    def ask_whose_unread(self, card: CardId, seats: Sequence[Seat], change: Change, number: int) -> Text:
        """Ask whose a card is that lay there unread while turns ended.

        Args:
            seats: Whose it may be, in the order of their turns; it counts as the move of the last one until then.
            number: The entry that the move is about to become.
        """
        question = Text("referee.whose_unread", {"card": card})
        allowed = Allow(number, origin=Origin.PHONE)
        answers: list[tuple[AnswerOption, tuple[Command, ...]]] = [
            (
                AnswerOption(Text("referee.its_turn", {"seat": seat})),
                (allowed,) if seat == seats[-1] else (allowed, Claim(seat, number, Origin.PHONE)),
            )
            for seat in seats
        ]
        self.ask(question, answers, change)
        return question

    def ask_unseen_word(self, move: Move, number: int) -> Text:
        """Ask about an act without a card that seems unlawful while it is not known whose turn it is.

        Args:
            number: The entry that the move is about to become.
        """
        question = Text("referee.unseen_word", {"seat": move.by})
        self.ask(question, [(AnswerOption(Text("referee.it_counts")), (Allow(number),))], None, number + 1)
        return question

    def ask_over_too(self, ends: Move, number: int) -> Text:
        """Let people say that the turn after the one that just ended is over as well. A command card was shown, so what
        was asked has its answer, and the lamp does not wait for another.

        Args:
            number: The entry before which it has ended then; with it play goes on.
        """
        question = Text("referee.over_too", {"seat": ends.by})
        answer = (AnswerOption(Text("referee.yes")), (DoneBefore(number, ends),))
        self.ask(question, [answer], None, number + FORGOTTEN_AFTER, about=number, fades=number, is_offer=True)
        return question

    def announce_passed_turn(
        self,
        moves: Sequence[Move],
        change: Change | None,
        first: int,
        goes_on: bool = True,
        taken_back: tuple[int, ...] = (),
        others: Sequence[Seat] = (),
    ) -> tuple[Text, ...]:
        """Announce that turns have ended, and offer to contest each until the next act.

        Contesting one undoes it with everything that follows from it.

        Args:
            moves: What is recorded: ends of turns, and the act that showed them.
            change: The difference on the table that showed them.
            first: The number of the first entry.
            goes_on: Another turn follows.
            taken_back: The acts that are undone as well, the last one first.
            others: Whose the act may be as well, had more turns ended without a trace.
        """
        stop = first + len(moves)
        text = Text("referee.passed_on", {"seat": moves[-1].by}) if goes_on else Text("referee.all_over")
        end = next((move.do for move in moves if move.subject is None), moves[0].do)
        answers: list[tuple[AnswerOption, tuple[Command, ...]]] = []
        for number, move in ((at, move) for at, move in enumerate(moves, first) if move.do == end):
            undone = (*range(stop - 1, number - 1, -1), *taken_back)
            still_mine = AnswerOption(Text("referee.still_mine", {"seat": move.by}))
            answers.append((still_mine, tuple(Undo(one, origin=Origin.PHONE) for one in undone)))
        answers += [(_whose(seat, moves[0].by), (Claim(seat, stop - 1, Origin.PHONE),)) for seat in others]
        self.ask(text, answers, change, until=stop, is_offer=True)
        return (text,)

    @property
    def is_asked_whose(self) -> bool:
        """Whether it is asked whose something was that lies on the table."""
        return bool(self.possible_claims)

    def asks_whose(self, number: int) -> bool:
        """Whether an open question asks whose something was that lies on the table."""
        opened = self.open[number]
        said = (one for meaning in opened.meanings for one in meaning)
        return not opened.is_offer and opened.change is not None and any(isinstance(one, Claim) for one in said)

    @property
    def possible_claims(self) -> list[Claim]:
        """Whose something was that lies on the table, as it is asked; of one question, the likeliest first."""
        asked = (one.meanings for one in self.open.values() if not one.is_offer and one.change is not None)
        return [claim for meanings in asked for meaning in meanings for claim in meaning if isinstance(claim, Claim)]

    def possible_owners(self, number: int) -> set[Seat]:
        """The seats of which it is asked whether the act of this entry was theirs."""
        return {
            one.by
            for opened in self.open.values()
            if not opened.is_offer
            for meaning in opened.meanings
            for one in meaning
            if isinstance(one, Claim) and one.number == number
        }

    def drop(self, change: Change) -> None:
        self.open = {number: question for number, question in self.open.items() if question.change != change}

    def close(self, number: int) -> None:
        self.open.pop(number, None)

    def expire(self, number: int, *, waits: bool = False) -> None:
        """Close the questions that were open until this entry; those that fade are asked of what has passed.

        Args:
            waits: The entry only waits for an answer: play has not gone on.
        """
        if waits:
            self.open = {n: opened.postponed(number) for n, opened in self.open.items()}
        self.open = {
            n: opened.faded() if opened.fades == number else opened
            for n, opened in self.open.items()
            if opened.until is None or opened.until > number
        }

    def end_certain(self, since: int, before: int | None) -> None:
        """Close the questions whose acts those were that are certain by now, and the offers that play has passed.

        Args:
            since: The first entry whose seat is still guessed.
            before: With this entry play went on; ``None`` = it did not.
        """

        def stays(opened: OpenQuestion) -> bool:
            if opened.about is None:
                return True
            is_past = opened.is_offer and opened.fades is None and before is not None and opened.about < before
            return opened.about >= since and not is_past

        self.open = {number: opened for number, opened in self.open.items() if stays(opened)}

    def for_phones(self) -> tuple[Question, ...]:
        """The open questions; of equal ones only the oldest."""
        different: list[Question] = []
        for question in (opened.question for opened in self.open.values()):
            if not any((question.text, question.answers) == (other.text, other.answers) for other in different):
                different.append(question)
        return tuple(different)
