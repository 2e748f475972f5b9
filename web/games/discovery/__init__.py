"""Discovery on the phones: how its table is drawn, from the view's and the deck's JSON alone."""

from __future__ import annotations

from flask import Blueprint

discovery = Blueprint("discovery", __name__, static_folder="static", static_url_path="/games/discovery")
