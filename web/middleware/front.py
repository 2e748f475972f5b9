"""The table's own HTTPS proxy tells its server the client's address; a secret proves that it is the proxy."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

HEADER = "Companion-Front"
"""The secret that only proxy and server know, a space, and the client's address.  Every program on this machine could
connect from the proxy's address, so the address alone proves nothing."""


def behind_front(app: WSGIApplication, secret: str) -> WSGIApplication:
    """Wrap an app: a request with the secret counts as HTTPS, from the address that the proxy names."""

    def with_client_address(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        shown, _, address = environ.pop("HTTP_COMPANION_FRONT", "").partition(" ")
        if hmac.compare_digest(shown.encode("latin-1"), secret.encode("latin-1")):
            environ["REMOTE_ADDR"], environ["wsgi.url_scheme"] = address, "https"
        return app(environ, start_response)

    return with_client_address
