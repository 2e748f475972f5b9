"""Names and codes as people type them: what they read as the same counts as the same, wherever it is compared."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, strategies as st
from support.real_desk import HOST_CODE, WORDS, RealDesk, short_of

from companion.errors import InputError
from companion.history.seating import clean_name, clean_names
from companion.plugins.hub.results import FinishedMatch, offered_result
from companion.plugins.hub.tournament import Tournament, apply_entry
from companion.public.join_code import ALPHABET, can_be_typed_code, canonical_code, is_typed
from companion.public.names import name_key
from companion.public.slips import plain_letters
from companion.storage.join_codes import draw_codes, seat_codes
from web.app import close, create_app
from web.middleware.rate_limit import RateLimiter
from web.pages.player_stats import player_history

WIDE = str.maketrans({chr(n): chr(n + 0xFEE0) for n in range(0x21, 0x7F)})
NAMES = (
    "Zoé",
    "Jean-François",
    "O'Neil",
    "Åsa Öberg",
    "Ann Kathrin",
    "Straße",
    "Łucja",
    "Иван",
    "李雷",
    "علی‌رضا",
    "Bob 2",
)
TYPED_AS = {
    "accents typed apart": lambda name: unicodedata.normalize("NFD", name),
    "accents in one sign": lambda name: unicodedata.normalize("NFC", name),
    "capitals": str.upper,
    "small letters": str.lower,
    "wide letters": lambda name: name.translate(WIDE),
    "spaces around and doubled": lambda name: f"  {name.replace(' ', '   ')}\t",
    "a space that does not break": lambda name: name.replace(" ", "\u00a0"),
    "a space without width": lambda name: name[:1] + "\u200b" + name[1:],
    "a byte order mark": lambda name: f"\ufeff{name}",
    "marks of direction": lambda name: f"\u200f{name}\u200e",
    "a soft hyphen": lambda name: name[:2] + "\u00ad" + name[2:],
    "a curly apostrophe": lambda name: name.replace("'", "\u2019"),
    "another dash": lambda name: name.replace("-", "\u2010"),
    "a variation selector": lambda name: f"{name}\ufe0f",
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("way", TYPED_AS)
def test_however_it_is_typed_it_is_the_same_name_everywhere(way: str, name: str) -> None:
    typed = TYPED_AS[way](name)
    assert name_key(typed) == name_key(name)
    # two seats
    with pytest.raises(InputError, match=r"called|each can be seen"):
        clean_names({"seat": [{"name": name}, {"name": typed}]})
    # the phone of the match before
    assert seat_codes([typed, "Somebody"], {name: ("a-long-code", "ABC234")})[0][1:] == ("a-long-code", "ABC234")
    # results: of a table for a pairing, and of a player over all matches
    match = FinishedMatch(
        "3fa90c21", "m", seats=(typed, "Somebody"), points=(7, 9), began="2026", game="discovery", profile="fr-explore"
    )
    offered = offered_result(["Somebody", name], [match], {}, [])
    assert offered is not None
    assert offered.points == (9, 7)
    entered = apply_entry(Tournament(), {"do": "open", "name": "Cup", "smallest": 2, "largest": 4})
    entered = apply_entry(entered, {"do": "enter", "name": name})
    with pytest.raises(InputError):
        apply_entry(entered, {"do": "enter", "name": typed})
    played = {"id": "m", "seats": [typed, "Somebody"], "over": True, "winners": [1], "points": [3, 2]}
    history = player_history([played, {**played, "seats": [name, "Somebody"]}], name)
    assert history is not None
    assert (history.statistics.played, history.statistics.won) == (2, 2)
    # spreadsheets
    assert plain_letters(typed) == plain_letters(name)


@pytest.mark.parametrize(("one", "other"), [("Zoé", "Zoe"), ("Ann", "Anna"), ("Ana B", "AnaB"), ("Ole", "Øle")])
def test_names_that_people_tell_apart_stay_apart(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@given(st.text(max_size=40))
def test_the_key_of_a_key_is_itself(name: str) -> None:
    assert name_key(name_key(name)) == name_key(name)


@pytest.mark.parametrize("pasted", ["\u200bAna", "Ana\ufeff", "A\u00adna", "\u200eAna\u200f"])
def test_what_a_messenger_put_in_unseen_is_left_out_of_the_name(pasted: str) -> None:
    assert clean_name(pasted) == "Ana"


CODES = st.text(ALPHABET, min_size=6, max_size=6)
DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2212\u00ad"
SPACES = " \u00a0\u2009\u202f\u3000\t\n"
UNSEEN = "\u200b\u200c\u200d\u2060\ufeff\u200e"


@given(CODES, st.lists(st.tuples(st.integers(0, 6), st.sampled_from(DASHES + SPACES + UNSEEN + ".,\"'«»")), max_size=8),
       st.booleans(), st.booleans())  # fmt: skip
def test_a_code_is_itself_in_whatever_a_keyboard_or_a_messenger_makes_of_it(
    code: str, between: list[tuple[int, str]], small: bool, wide: bool
) -> None:
    typed = list(code.lower() if small else code)
    if wide:
        typed = [sign.translate(WIDE) for sign in typed]
    for place, sign in sorted(between, reverse=True):
        typed.insert(place, sign)
    assert canonical_code("".join(typed)) == code


@given(st.text(max_size=12), st.text("-_ .\u200b\u2014", max_size=30))
def test_no_padding_turns_a_typed_code_into_a_link_s(code: str, padding: str) -> None:
    assert is_typed(canonical_code(code + padding)) or not is_typed(canonical_code(code))


def test_the_codes_that_are_drawn_have_the_form_and_links_stay_as_they_are() -> None:
    for _, long, short in draw_codes(50):
        assert can_be_typed_code(short)
        assert canonical_code(f" {long}\u200b") == long
        assert not is_typed(long)


@pytest.mark.parametrize("slip", ["", "ABC", "ABC23", "ABC2345", "hello", "ABC 234 x", "АВС234"])
def test_a_slip_of_the_finger_is_no_guess_and_a_wrong_code_is(slip: str) -> None:
    desk = RealDesk()
    app = create_app(desk, WORDS, rate_limiter=RateLimiter(lambda: 0.0))
    client = app.test_client()
    for _ in range(20):
        assert client.post("/api/v1/join", json={"code": slip}).status_code == 403
    assert client.post("/api/v1/join", json={"code": short_of(1)}).status_code == 200
    other = app.test_client()
    answers = [other.post("/api/v1/join", json={"code": f"WRNG{n:02}"}).status_code for n in range(8)]
    assert answers == [403] * 5 + [429] * 3
    assert other.get(f"/join/{HOST_CODE}").status_code == 303
    close(app)
