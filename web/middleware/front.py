"""The table's own HTTPS stands before its server and says for whom it asks; nobody else is believed that."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

HEADER = "Companion-Front"
"""Holds a secret that only that front and the server know, a space, and the address of whoever asked the front.

Every program of this machine could connect from the front's address, so the address alone is no proof.
"""


def behind_front(app: WSGIApplication, secret: str) -> WSGIApplication:
    """An app to which a request by way of the front is one over HTTPS, of whom the front says."""

    def asked(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        shown, _, address = environ.pop("HTTP_COMPANION_FRONT", "").partition(" ")
        if hmac.compare_digest(shown.encode("latin-1"), secret.encode("latin-1")):
            environ["REMOTE_ADDR"], environ["wsgi.url_scheme"] = address, "https"
        return app(environ, start_response)

    return asked
