"""The page of everything that the referee says of Discovery: every run writes it into ``build``, for people to read."""

from __future__ import annotations

from tools.explanations import PAGE, WORDS, write


def test_every_sentence_of_the_game_stands_on_it_without_a_key_or_an_unfilled_word() -> None:
    write()
    said = PAGE.read_text(encoding="utf-8")
    assert "discovery." not in said
    assert "{" not in said
    chapters = [key.split(".")[1] for key in WORDS.keys("en")]
    wanted = sum(chapters.count(chapter) for chapter in ("objection", "caption", "verdict", "why"))
    assert sum(line.startswith("| ") and not line.startswith("| |") for line in said.splitlines()) == wanted
