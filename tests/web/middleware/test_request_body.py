"""The keys that a route's own parameters say."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

import pytest
from flask import Flask, request
from msgspec import Meta

from web.middleware.problems import Problem
from web.middleware.request_body import body_keys, json_body


class Form(TypedDict):
    """Each way in which a key may be written down."""

    do: Annotated[str, Meta(min_length=1)]
    name: Annotated[str, Meta(max_length=40)] | None
    number: int | None
    hands: NotRequired[Annotated[list[int], Meta(min_length=1)]]
    whatever: Any


def test_a_key_may_lack_where_its_type_holds_none_or_it_is_not_required():
    assert body_keys(Form) == {"do": (str, True), "name": (str, False), "number": (int, False), "hands": (list, False)}


GOOD: dict[str, Any] = {"do": "undo", "number": 3}


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"do": None}, "do"),
        ({"do": 1}, "do"),
        ({"name": ["Ana"]}, "name"),
        ({"number": "3"}, "number"),
        ({"number": True}, "number"),
        ({"number": 2**53}, "number"),
        ({"hands": {}}, "hands"),
    ],
    ids=str,
)
def test_a_key_that_is_missing_or_of_another_kind_is_named(change: dict[str, Any], key: str):
    app = Flask(__name__)
    with app.test_request_context(json=GOOD):
        assert json_body(request, body_keys(Form)) == GOOD
    with app.test_request_context(json=GOOD | change), pytest.raises(Problem) as wrong:
        json_body(request, body_keys(Form))
    assert wrong.value.status == 422
    assert wrong.value.detail.params["key"] == key
