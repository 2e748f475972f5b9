"""What a host asks for that is not there, or sends of another kind, is answered with one sentence."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient
from support.real_desk import HOST_CODE


@pytest.mark.parametrize(
    ("method", "address", "kind", "status"),
    [
        ("GET", "decks/none/deck.csv", None, 404),
        ("GET", "decks/none/graph.svg", None, 404),
        ("GET", "decks/none/pictures/1-1", None, 404),
        ("GET", "decks/none/readings", None, 404),
        ("GET", "decks/NO!/readings", None, 404),
        ("GET", "decks/none/readings/1-1/title.jpg", None, 404),
        ("GET", "recording.zip", None, 404),
        ("GET", "stickers.pdf?deck=none", None, 404),
        ("GET", "backup.zip", None, 404),
        ("POST", "decks/NO!/deck.csv", "text/csv", 404),
        ("POST", "decks/ours/deck.csv", "text/plain", 415),
        ("POST", "decks/ours/pictures/1-1", "text/plain", 415),
        ("POST", "decks/NO!/readings", "image/jpeg", 404),
        ("POST", "decks/ours/readings", "text/plain", 415),
    ],
)
def test_it_is_said(method: str, address: str, kind: str | None, status: int, client: FlaskClient, bearer: Any):
    body = None if kind is None else b"none"
    answer = client.open(f"/api/v1/{address}", method=method, data=body, content_type=kind, headers=bearer(HOST_CODE))
    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")
    assert 0 < len(answer.json["detail"]) < 200
