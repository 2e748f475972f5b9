"""Phones and televisions: pages, a JSON API, event streams and MQTT.

It imports ``companion.public`` and ``companion.errors``: what a phone may see, ask and do stands behind the services
there. Flask, waitress and paho are loaded when a name below is first used that needs them.

``services`` below is what ``companion.public.service.Services`` describes; ``companion.service.table_service`` has it.

    >>> import web
    >>> from companion.public.i18n import Translations
    >>> app = web.create_app(services, Translations(web.LOCALE_FOLDERS))
    >>> with web.Server(app, port=0, host="127.0.0.1") as server:  # any port that is free
    ...     app.test_client().get("/api/v1/health").status_code
    200
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from web.app import create_app
    from web.language import LOCALE_FOLDERS
    from web.push.mqtt import MqttPublisher
    from web.server import Server

__all__ = ["LOCALE_FOLDERS", "MqttPublisher", "Server", "create_app"]

_MODULES = {
    "LOCALE_FOLDERS": "web.language",
    "MqttPublisher": "web.push.mqtt",
    "Server": "web.server",
    "create_app": "web.app",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
