"""What is proposed of what was read from a card: names as they stand there, prerequisites by the names there are."""

from __future__ import annotations

import pytest

from companion.service.card_proposals import NeedsProposal, proposed_needs, proposed_title, says_nothing

pytestmark = pytest.mark.core
NAMES = {
    "1-2": ("Bande", "Band"),
    "1-5": ("Charognage",),
    "1-8": ("Chasse",),
    "2-3": ("Feu",),
    "3-3": ("Fil et corde",),
    "1-4": ("Galet taillé",),
}


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        (("Galet taillé",), "Galet taillé"),
        (("| Fil et", "corde ."), "Fil et corde"),
        (("Chasse", "-—", "i", "/7/"), "Chasse"),
        (("L’écriture",), "L'écriture"),
        ((), ""),
        (("|| 7 =",), ""),
    ],
)
def test_a_title_is_the_letters_that_stand_there(lines: tuple[str, ...], title: str) -> None:
    assert proposed_title(lines) == title


@pytest.mark.parametrize(
    ("lines", "cards"),
    [
        (("1 Bande", "1 Charognage"), ("1-2", "1-5")),  # the real cards: era and name (F:40-41)
        (("| Bende", "I Charognagc"), ("1-2", "1-5")),
        (("Prérequis : Bande (1-2), Galet", "taillé (1-4)"), ("1-2", "1-4")),  # the companion's own cards
        (("Needs: Xxxx (2-3)",), ("2-3",)),
        (("3 Fil et cordе",), ("3-3",)),
        (("aucun",), ()),
    ],
)
def test_prerequisites_are_the_cards_whose_names_are_most_like(lines: tuple[str, ...], cards: tuple[str, ...]) -> None:
    assert proposed_needs(lines, NAMES, "6-9") == NeedsProposal(cards)


def test_a_word_that_is_no_name_is_said_and_never_guessed_and_no_card_needs_itself() -> None:
    words = "2 Agriculture", "1 Chasse"
    assert proposed_needs(words, NAMES, "1-8") == NeedsProposal((), words)
    assert says_nothing(("Needs: nothing",))
    assert not says_nothing(())
