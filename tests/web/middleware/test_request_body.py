"""The keys that a route's own parameters say."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

from msgspec import Meta

from web.middleware.request_body import body_keys


class Form(TypedDict):
    """Each way in which a key may be written down."""

    do: Annotated[str, Meta(min_length=1)]
    name: Annotated[str, Meta(max_length=40)] | None
    number: int | None
    hands: NotRequired[Annotated[list[int], Meta(min_length=1)]]
    whatever: Any


def test_a_key_may_lack_where_its_type_holds_none_or_it_is_not_required():
    return
    assert body_keys(Form) == {"do": (str, True), "name": (str, False), "number": (int, False), "hands": (list, False)}
