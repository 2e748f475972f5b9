"""A table behind a real nginx, on a port that is neither 80 nor 443: people press, other sites do not."""

from __future__ import annotations

import http.client
import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.ports import free_port
from support.real_desk import HOST_CODE, RealDesk, code_of
from support.waiting import wait

from companion.public.i18n import Translations
from web.app import create_app
from web.middleware.hosts import Addresses
from web.server import Server

NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
THREATS = Path(__file__).parents[2] / "docs" / "threats.md"
NAME = "table.example.org"

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not Path(NGINX).exists(), reason="nginx is not installed")]


def documented(port: int) -> tuple[str, str]:
    """What docs/threats.md tells people to write: for http, and for their server."""
    (block,) = re.findall(r"```nginx\n(.*?)```", THREATS.read_text("utf-8"), re.DOTALL)
    first, _, rest = block.partition("\n")
    return first, rest.replace(":8080", f":{port}")


WAYS = {
    "as documented": documented,
    "the port dropped": lambda port: (documented(port)[0], documented(port)[1].replace("$http_host", "$host")),
    "another port": lambda port: (documented(port)[0], documented(port)[1].replace("$http_host", "$host:8443")),
}


@contextmanager
def nginx(folder: Path, table: int, way: str) -> Iterator[int]:
    """nginx before the table at this port, on any free port of its own."""
    port = free_port()
    outside, inside = WAYS[way](table)
    conf = folder / "nginx.conf"
    conf.write_text(
        f"events {{}} http {{ access_log off; {outside}\n server {{ listen 127.0.0.1:{port};\n{inside} }} }}\n", "utf-8"
    )
    words = ["-p", str(folder), "-c", str(conf), "-g", f"daemon off; pid {folder}/pid; error_log {folder}/error;"]
    running = subprocess.Popen([NGINX, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait(lambda: (folder / "pid").exists())
        yield port
    finally:
        running.terminate()
        running.wait(10)


def press(port: int, headers: Mapping[str, str], seat: int = 3) -> int:
    """Say "end of turn"; the answer's status."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        body = json.dumps({"move": {"do": "end_turn", "by": seat}})
        wanted = {"Content-Type": "application/json", "Authorization": f"Bearer {code_of(seat)}", **headers}
        line.request("POST", "/api/v1/moves", body, wanted)
        answer = line.getresponse()
        answer.read()
        return answer.status
    finally:
        line.close()


def read(port: int, path: str, headers: Mapping[str, str]) -> str:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        line.request("GET", path, headers=dict(headers))
        return line.getresponse().read().decode()
    finally:
        line.close()


@pytest.mark.parametrize("way", WAYS)
def test_behind_nginx_people_press_whatever_becomes_of_the_port(
    way: str, desk: RealDesk, words: Translations, tmp_path: Path
):
    app = create_app(desk, words, addresses=Addresses(hosts=(NAME,)))
    with (
        Server(app, 0, "127.0.0.1", proxy="127.0.0.1") as server,
        nginx(tmp_path, server.port, way) as port,
    ):
        here = {"Host": f"{NAME}:{port}", "Origin": f"http://{NAME}:{port}"}
        assert press(port, here) == 200
        for foreign in ("http://evil.example", f"http://{NAME}.evil.example:{port}", "null", "http://"):
            assert press(port, {**here, "Origin": foreign}) == 403, foreign
        assert press(port, {**here, "Sec-Fetch-Site": "same-site"}) == 403


def test_nobody_but_the_proxy_leaves_the_port_out(desk: RealDesk, words: Translations):
    """A page at another port of the same name is another site, and no header of its own changes that."""
    foreign = {"Host": NAME, "Origin": f"http://{NAME}:9999", "X-Forwarded-For": "192.168.1.7"}
    for proxy in (None, "192.0.2.1"):
        with Server(create_app(desk, words, addresses=Addresses(hosts=(NAME,))), 0, "127.0.0.1", proxy=proxy) as server:
            assert press(server.port, foreign) == 403


@pytest.mark.parametrize("phones", ["http://192.168.1.20:18080", f"https://{NAME}:18443"])
def test_links_for_phones_name_the_address_in_the_settings_however_the_host_came(
    phones: str, desk: RealDesk, words: Translations
):
    """In a container a table knows its own address alone, which no phone reaches."""
    app = create_app(desk, words, addresses=Addresses("http://172.17.0.2:8080", phones))
    client = app.test_client()
    for host in ("localhost:8080", "127.0.0.1:8080", "172.17.0.2:8080", "companion.local:8080"):
        headers = {"Host": host, "Authorization": f"Bearer {HOST_CODE}"}
        links = re.findall(r"https?://[^\"\s<]*/join/", client.get("/host", headers=headers).text)
        assert links, host
        assert set(links) == {f"{phones}/join/"}, host
    origin = {"Host": "127.0.0.1:8080", "Origin": phones, "Authorization": f"Bearer {code_of(3)}"}
    assert client.post("/api/v1/moves", json={"move": {"do": "end_turn", "by": 3}}, headers=origin).status_code == 200
