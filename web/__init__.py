"""Phones and televisions: pages, a JSON API and event streams.

The package imports only ``companion.public``, ``companion.reading`` and ``companion.errors``; everything that a phone
may see, ask and do goes through the services of ``companion.public``. Flask and waitress are loaded on first use of a
name that needs them.

``services`` below is a ``companion.public.service.Services``, as ``companion.service.table_service`` makes it.

    >>> import web
    >>> from companion.public.i18n import Translations
    >>> app = web.create_app(services, Translations((web.LOCALE_FOLDER,)))
    >>> with web.Server(app, port=0, host="127.0.0.1") as server:  # any free port
    ...     app.test_client().get("/api/v1/health").status_code
    200
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.public.lazy import lazy

if TYPE_CHECKING:
    from web.app import create_app as create_app
    from web.language import LOCALE_FOLDER as LOCALE_FOLDER
    from web.server import Server as Server
else:
    __getattr__, __dir__ = lazy(
        __name__,
        {
            "LOCALE_FOLDER": "web.language",
            "Server": "web.server",
            "create_app": "web.app",
        },
    )
