"""A table's ``settings.toml`` and ``zones.toml``: the panel's wiring, the zones, its names, what plug-ins ask for."""

from __future__ import annotations

import ipaddress
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from companion.errors import Fault, InputError
from companion.public.layout import Layout, encode_layout, read_layout
from companion.public.plugins import plugin_names, plugins
from companion.public.text import JSON
from companion.storage.toml_file import Document, read_toml, write_toml

log = logging.getLogger(__name__)

ZONES_FILE = "zones.toml"
"""In the data folder; has the form of a match file's ``[table]`` (contract, section 4)."""


def read_zones(folder: Path) -> Layout | None:
    """The layout drawn for the table with this data folder, if any.

    Raises:
        InputError: With every fault, naming file, line and key.
    """
    path = folder / ZONES_FILE
    if not path.exists():
        return None
    return read_toml(path).located(lambda content: read_layout(content.get("table")))


def write_zones(folder: Path, layout: Layout | None) -> None:
    """Save a layout; ``None`` deletes the saved one.

    Raises:
        InputError: It could not be read back; the saved one stays.
        OSError: The disk does not take it.
    """
    path = folder / ZONES_FILE
    if layout is None:
        path.unlink(missing_ok=True)
        return
    write_toml(path, {"table": encode_layout(layout)}, sections=2)


SETTINGS_FILE = "settings.toml"
_SECTIONS = ("panel", "table", "backup", "web", "camera", "plugins")
_WEB = {
    "hosts": (re.compile(r"[A-Za-z0-9]([A-Za-z0-9.:-]*[A-Za-z0-9])?"), "host names such as table.example.org"),
    "frames": (
        re.compile(r"https?://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(:[0-9]{1,5})?"),
        "origins such as http://homeassistant.local:8123",
    ),
}
_ADDRESS = re.compile(r"https?://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(:[0-9]{1,5})?")
_WEB_KEYS = (*_WEB, "proxy", "address", "https", "tls")


@dataclass(frozen=True, slots=True)
class Settings:
    """A table's settings.

    Attributes:
        panel: The ``[panel]`` table as read, for ``hardware.wiring``; ``None`` = the default wiring.
        layout: Used when a match file has none; ``None`` = the game's own layout.
        backup: A second folder for backups, such as a stick; ``None`` = only the data folder.
        hosts: Further host names of the table.
        proxy: The address of a proxy in front of the table; ``None`` = there is none.
        address: Where phones reach the table, if it cannot know: in a container, behind a router
            (``http://192.168.1.20:8080``).
        https: The address of the owner's own HTTPS front (``https://companion.local:8443``).
        tls: Whether the table itself serves HTTPS; ``None`` = if a phone is its camera and ``https`` is not set.
        frames: Origins whose pages may show the television and the overlay in a frame.
        source: The default for ``--source``; ``None`` = the default camera.
        darker: Whether the camera takes a darker picture now and then, where a lamp is mirrored.
        switched_off: The plug-ins that are installed and not used here (``[plugins]``).
        sections: The sections of plug-ins, by their names; of one that is switched off as written.
        document: The file, to name its lines in faults; ``None`` if there is none.
    """

    panel: Mapping[str, JSON] | None = None
    layout: Layout | None = None
    backup: Path | None = None
    document: Document | None = None
    hosts: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    proxy: str | None = None
    address: str | None = None
    https: str | None = None
    tls: bool | None = None
    source: str | None = None
    darker: bool = True
    switched_off: frozenset[str] = frozenset()
    sections: Mapping[str, JSON] = field(default_factory=dict)


def read_settings(folder: Path) -> Settings:
    """The settings in a data folder; the defaults if there is no file.

        >>> read_settings(Path("a folder that does not exist")) == Settings()
        True

    Raises:
        InputError: With every fault, naming file, line and key.
    """
    path = folder / SETTINGS_FILE
    if not path.exists():
        return Settings()
    document = read_toml(path)
    return document.located(lambda content: _read(content, document))


def _read(content: JSON, document: Document) -> Settings:
    wanted = content.get("plugins", {})
    faults = _plugin_faults(wanted)
    switched_off = frozenset(name for name, is_on in wanted.items() if not is_on) if not faults else frozenset()
    sections = {key: value for key, value in content.items() if key not in _SECTIONS}
    faults += _section_faults(sections, switched_off)
    layout: Layout | None = None
    if "table" in content:
        try:
            layout = read_layout(content["table"])
        except InputError as wrong:
            faults += wrong.faults
    backup = content.get("backup")
    named = backup.get("folder") if isinstance(backup, Mapping) else None
    if backup is not None and (not isinstance(named, str) or not Path(named).is_absolute() or len(backup) != 1):
        faults.append(Fault("names one folder by its whole path", ("backup", "folder")))
    camera = content.get("camera")
    keys: Mapping[str, Any] = camera if isinstance(camera, Mapping) else {}
    source, darker = keys.get("source"), keys.get("darker", True)
    wrong_keys = sorted(set(keys) - {"source", "darker"})
    if camera is not None and not isinstance(source, str) and ("source" in keys or "darker" not in keys):
        faults.append(Fault("names the camera as --source does, such as usb:0 or rtsp://…", ("camera", "source")))
    if not isinstance(darker, bool):
        faults.append(Fault("is true or false: whether darker pictures are taken too", ("camera", "darker")))
    faults += [Fault("there is no such setting; there are source, darker", ("camera", key)) for key in wrong_keys]
    web = content.get("web", {})
    faults += _web_faults(web)
    if faults:
        raise InputError(*faults)
    return Settings(
        panel=content.get("panel"),
        layout=layout,
        backup=None if named is None else Path(named),
        document=document,
        hosts=tuple(web.get("hosts", ())),
        frames=tuple(web.get("frames", ())),
        proxy=web.get("proxy"),
        address=web.get("address"),
        https=web.get("https"),
        tls=web.get("tls"),
        source=source,
        darker=darker,
        switched_off=switched_off,
        sections=sections,
    )


def _plugin_faults(wanted: JSON) -> list[Fault]:
    if not isinstance(wanted, Mapping):
        return [Fault("is a table of names, such as hub = false", ("plugins",))]
    there = ", ".join(plugin_names())
    return [
        Fault(f"there is no such plug-in; there are {there}", ("plugins", name))
        if name not in plugin_names()
        else Fault("is true or false: whether it is used here", ("plugins", name))
        for name, is_on in wanted.items()
        if name not in plugin_names() or not isinstance(is_on, bool)
    ]


def _section_faults(sections: Mapping[str, JSON], switched_off: frozenset[str]) -> list[Fault]:
    """What is wrong with the sections of plug-ins; nobody asks one that is switched off, or does not load."""
    there = {plugin.name: plugin.settings for plugin in plugins()}
    named = [*_SECTIONS, *(name for name, settings in there.items() if settings is not None)]
    faults: list[Fault] = []
    for key, section in sections.items():
        settings = there.get(key)
        if key not in plugin_names() or (settings is None and key in there):
            faults.append(Fault(f"there is no such section; there are {', '.join(named)}", (key,)))
        elif settings is not None and key not in switched_off:
            try:
                faults += [replace(wrong, where=(key, *wrong.where)) for wrong in settings(section)]
            except Exception as wrong:  # noqa: BLE001  # a stranger's code: what it does with the section is its own
                log.error("the plug-in %s does not read its section (%s: %s)", key, type(wrong).__name__, wrong)
    return faults


def _web_faults(section: JSON) -> list[Fault]:
    if not isinstance(section, Mapping):
        return [Fault(f"is a section with {', '.join(_WEB_KEYS[:-1])} and {_WEB_KEYS[-1]}", ("web",))]
    faults = []
    for key, value in section.items():
        if key == "proxy":
            if not _is_address(value):
                faults.append(Fault("should be the proxy's address, such as 192.168.1.2", ("web", key)))
            continue
        if key in ("address", "https"):
            example = "https://companion.local:8443" if key == "https" else "http://192.168.1.20:8080"
            is_one = isinstance(value, str) and _ADDRESS.fullmatch(value) and (key, value[:5]) != ("https", "http:")
            if not is_one:
                faults.append(Fault(f"should be an address such as {example}", ("web", key)))
            continue
        if key == "tls":
            if not isinstance(value, bool):
                faults.append(Fault("is true or false", ("web", key)))
            continue
        form, what = _WEB.get(key, (None, ""))
        if form is None:
            faults.append(Fault("is no key of this section", ("web", key)))
        elif not isinstance(value, list) or not all(isinstance(one, str) and form.fullmatch(one) for one in value):
            faults.append(Fault(f"should be a list of {what}", ("web", key)))
    return faults


def _is_address(value: JSON) -> bool:
    try:
        return isinstance(value, str) and value == str(ipaddress.ip_address(value))
    except ValueError:
        return False
