"""A virtual machine of qemu's that starts from a card, and whom a test asks over the network and at a shell.

Nothing on the card is changed for it: the shell is a unit that qemu hands to the machine's systemd as a credential.
The processor is emulated, and the machine's clock goes on by two nanoseconds with each instruction: what takes it a
second takes this computer some, or many where it has other work, and nothing in the machine finds that it took too
long. So its times say nothing about a Pi.
"""

from __future__ import annotations

import base64
import http.client
import json
import socket
import subprocess
import time
import urllib.error
import urllib.request
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any

PROBE = """\
[Unit]
Description=A shell for the test
DefaultDependencies=no
After=sysinit.target
StartLimitIntervalSec=0
[Service]
ExecStart=/bin/sh
StandardInput=file:/dev/virtio-ports/probe
StandardOutput=file:/dev/virtio-ports/probe
StandardError=null
Restart=always
RestartSec=2
"""
"""systemd takes it as the credential ``systemd.extra-unit.probe.service`` (since version 256)."""

FIRMWARE = {
    "amd64": ("/usr/share/OVMF/OVMF_CODE_4M.fd", "/usr/share/OVMF/OVMF_VARS_4M.fd"),
    "arm64": ("/usr/share/AAVMF/AAVMF_CODE.fd", "/usr/share/AAVMF/AAVMF_VARS.fd"),
}


def _connected(path: Path) -> socket.socket | None:
    """A connection to qemu; ``None`` = it does not listen yet."""
    channel = socket.socket(socket.AF_UNIX)
    try:
        channel.connect(str(path))
    except OSError:
        channel.close()
        return None
    return channel


class Trouble(Exception):
    """What did not come true; one sentence."""


@dataclass
class Machine:
    """A machine that is switched on as long as a ``with`` block lasts, or till its power key is pressed.

    Args:
        kind: ``amd64`` or ``arm64``.
        card: The options of qemu that make the block device ``card``.
        folder: Where sockets, what the machine says and its firmware's memory lie.
        cable: Whether it has a network, in which this computer alone reaches it.
    """

    kind: str
    card: list[str]
    folder: Path
    _: KW_ONLY
    cable: bool = True
    _process: subprocess.Popen[bytes] | None = None
    _shell: socket.socket | None = None
    _monitor: Any = None
    _began: float = 0.0
    _asked: int = 0

    def __enter__(self) -> Machine:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.pull_plug()

    def start(self) -> None:
        """Switch it on."""
        code, memory = FIRMWARE[self.kind]
        own = self.folder / "firmware"
        own.write_bytes(Path(memory).read_bytes())
        for name in ("shell", "monitor"):
            (self.folder / name).unlink(missing_ok=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.door = free.getsockname()[1]
        cpu = {"amd64": "Nehalem", "arm64": "cortex-a72"}[self.kind]  # vector instructions are dear to emulate
        program = {"amd64": "qemu-system-x86_64", "arm64": "qemu-system-aarch64"}[self.kind]
        board = {"amd64": "q35", "arm64": "virt"}[self.kind]
        net = f"user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-:8080,hostfwd=tcp:127.0.0.1:{self.door}-:80"
        given = {
            "systemd.extra-unit.probe.service": PROBE,
            "systemd.unit-dropin.multi-user.target": "[Unit]\nWants=probe.service\n",
        }
        words = [
            *(program, "-M", board, "-cpu", cpu, "-accel", "tcg", "-icount", "shift=1", "-m", "2048"),
            *("-nodefaults", "-no-reboot", "-display", "none"),
            *("-device", "virtio-gpu-pci,xres=1280,yres=800"),
            *("-drive", f"if=pflash,format=raw,unit=0,readonly=on,file={code}"),
            *("-drive", f"if=pflash,format=raw,unit=1,file={own}"),
            *self.card,
            *("-device", "virtio-blk-pci,drive=card,bootindex=1"),
            *("-device", "virtio-rng-pci", "-device", "virtio-serial-pci"),
            *("-chardev", f"socket,id=probe,path={self.folder / 'shell'},server=on,wait=off"),
            *("-device", "virtserialport,chardev=probe,name=probe"),
            *("-qmp", f"unix:{self.folder / 'monitor'},server=on,wait=off"),
            *("-serial", f"file:{self.folder / 'serial.log'}"),
            *(("-netdev", net, "-device", "virtio-net-pci,netdev=net") if self.cable else ("-nic", "none")),
        ]
        for name, text in given.items():
            coded = base64.b64encode(text.encode()).decode()
            words += ["-smbios", f"type=11,value=io.systemd.credential.binary:{name}={coded}"]
        self._began = time.monotonic()
        with (self.folder / "qemu.log").open("wb") as said:
            self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        self._monitor = self.until(60, "qemu starts", lambda: _connected(self.folder / "monitor")).makefile("rw")
        self._monitor.readline()
        self.order("qmp_capabilities")

    @property
    def on_s(self) -> float:
        """Seconds since it was switched on."""
        return time.monotonic() - self._began

    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def order(self, name: str, **arguments: object) -> object:
        """An order to qemu's monitor; its answer."""
        self._monitor.write(json.dumps({"execute": name, "arguments": arguments}) + "\n")
        self._monitor.flush()
        while True:
            answer = json.loads(self._monitor.readline() or '{"error": "qemu is gone"}')
            if "error" in answer:
                raise Trouble(f"qemu refuses {name}: {answer['error']}")
            if "return" in answer:
                return answer["return"]

    def until(self, seconds: float, what: str, happens: Any) -> Any:
        """Wait until something happens; its answer.

        Raises:
            Trouble: It does not, or the machine is gone.
        """
        end = time.monotonic() + seconds
        while not (answer := happens()):
            if time.monotonic() > end:
                raise Trouble(f"After {seconds:.0f} s this had not come true: {what}")
            if not self.runs():
                raise Trouble(
                    f"The machine is gone, and this had not come true: {what}; see {self.folder / 'qemu.log'}"
                )
            time.sleep(0.5)
        return answer

    def ask(self, path: str) -> bytes | None:
        """What the companion answers; ``None`` = nothing yet."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=60) as answer:
                return bytes(answer.read())
        except urllib.error.HTTPError as refused:
            raise Trouble(f"{path} answers {refused.code}: {refused.read().decode()[:300]}") from refused
        except (OSError, ValueError):
            return None

    def leads(self) -> str | None:
        """Where port 80 sends a browser."""
        try:
            asked = http.client.HTTPConnection("127.0.0.1", self.door, timeout=60)
            asked.request("GET", "/")
            return asked.getresponse().getheader("Location")
        except OSError:
            return None

    def shell(self, line: str, seconds: float = 120) -> str:
        """What a line of shell prints in the machine, run as root.

        Raises:
            Trouble: It does not end, or not with 0.
        """
        if self._shell is None:
            self._shell = self.until(60, "qemu gives a shell", lambda: _connected(self.folder / "shell"))
        self._asked += 1
        mark = f"~{self._asked}~"
        self._shell.sendall(f'( {line}\n) 2>&1; echo "{mark} $?"\n'.encode())
        self._shell.settimeout(seconds)
        heard = b""
        while not (heard.endswith(b"\n") and mark.encode() in heard):
            try:
                heard += self._shell.recv(65536)
            except TimeoutError:
                raise Trouble(f"In the machine this does not end within {seconds:.0f} s: {line}") from None
        text, _, status = heard.decode().rpartition(mark)
        if status.strip() != "0":
            raise Trouble(f"In the machine this ended with {status.strip()}: {line}\n{text}")
        return text.strip()

    def picture(self, file: Path) -> None:
        """What stands on its screen (PNG)."""
        self.order("screendump", filename=str(file), format="png")

    def press_power_key(self, seconds: float) -> float:
        """Switch it off in good order; seconds that it took."""
        began = time.monotonic()
        self.order("system_powerdown")
        end = began + seconds
        while self.runs():
            if time.monotonic() > end:
                raise Trouble(f"It is still on {seconds:.0f} s after its power key was pressed.")
            time.sleep(0.2)
        self.pull_plug()
        return time.monotonic() - began

    def pull_plug(self) -> None:
        """Switch it off at once, if it still runs."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        if self._shell is not None:
            self._shell.close()
        self._shell = None
