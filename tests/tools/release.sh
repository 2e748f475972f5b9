#!/bin/sh
# Types CONTRIBUTING.md's recipe for a release, line by line, into an empty Debian, and asks a box whether it takes the update.
#
#   sudo tests/tools/release.sh
#
# The machine is a Debian 13 with nothing in it but a user, who may not be root. Of the recipe only ./test is not typed: what
# it leaves behind is written in its place. The same release is then made a second time, and must have the same hashes. In the
# end a box with the version before gets the update, on its host's page and from root's helper, and the folder for a card is
# made of the release's package for this computer, for tests/tools/raspberry-pi.sh. Tried is what is committed. Wants a
# Debian-like host, root, the tests' .venv, the internet and 6 GB in /var/tmp/companion-release-machine
# (COMPANION_RELEASE_MACHINE names another folder). Five minutes with everything at hand, forty the first time.
set -eu
cd -- "$(dirname -- "$0")/../.."
. tests/tools/debian.sh
want_root tests/tools/release.sh
base=${COMPANION_RELEASE_MACHINE:-/var/tmp/companion-release-machine}
own_folder "$base"
there=$base/trixie
home=$there/home/maker
kind=$(dpkg --print-architecture)

heading "An empty Debian 13, in which somebody has a checkout"
make_debian "$base/empty" trixie
take_network "$there"
rm -rf "$there" # what was installed there the last time would not be missed
cp -a "$base/empty" "$there"
cp /etc/ssl/certs/ca-certificates.crt "$there/srv/certificates.crt" # its own list is written anew when git is installed
trap 'take_network "$there"' EXIT
trap 'exit 1' INT TERM
give_network "$there"
chroot "$there" useradd -m -s /bin/sh maker
git clone -q . "$home/companion"
in_the_checkout() { git -C "$home/companion" -c safe.directory=* -c user.name=Maker -c user.email=maker@example.org "$@"; }
sed -i '0,/^## \[/s//## [Unreleased]\n\n- Something new.\n\n## [/' "$home/companion/CHANGELOG.md"
in_the_checkout commit -q -a -m "Something new"
printf '[user]\n\tname = Maker\n\temail = maker@example.org\n' >"$home/.gitconfig"
chroot "$there" chown -R maker: /home/maker

cat >"$base/type.py" <<'TYPE'
"""Types the lines of a recipe, and the password where it is asked for."""
import os, pty, re, sys

there, recipe, only = sys.argv[1:]
lines = re.search(r"typed line by line.*?```sh\n(.*?)```", open(recipe, encoding="utf-8").read(), re.DOTALL)[1].splitlines()
typed = [line for line in lines if only in line]
assert typed, f"no line has {only}"
for line in typed:
    user = "root" if line.startswith("apt-get") else "maker"
    if line == "./test":
        line = "mkdir -p build && git rev-parse HEAD >build/green"
    print(f"{'#' if user == 'root' else '$'} {line}", flush=True)
    child, terminal = pty.fork()
    if child == 0:
        # This computer's certificates, for pip, which has a list of its own.
        words = ["env", "-i", "TERM=dumb", "LC_ALL=C.UTF-8", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"]
        words += [f"HOME=/{'root' if user == 'root' else 'home/maker'}", "PIP_CERT=/srv/certificates.crt"]
        inside = f"cd /home/maker/companion && {line}"
        os.execvp("chroot", ["chroot", f"--userspec={user}:{user}", there, *words, "sh", "-c", inside])
    heard = b""
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            piece = b""
        if not piece:
            break
        heard += piece
        sys.stdout.write(piece.decode(errors="replace"))
        sys.stdout.flush()
        if re.search(rb"[Pp]assword[^\n]*: $", heard):
            os.write(terminal, b"battery staple\n")  # pragma: allowlist secret
            heard = b""
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status:
        sys.exit(f"That line ended with {status}.")
TYPE

heading "The recipe"
out=$home/companion/build/release
python3 "$base/type.py" "$there" CONTRIBUTING.md ""
version=$(sed -n 's/^version = "\([^"]*\)".*/\1/p' "$home/companion/pyproject.toml")
[ "$(in_the_checkout rev-parse "v$version")" = "$(in_the_checkout rev-parse HEAD)" ] || fail "The commit has no tag."
(cd "$out" && sha256sum --quiet --check SHA256SUMS && chroot "$there" minisign -Vm "/home/maker/companion/build/release/SHA256SUMS" \
    -p /home/maker/companion/packaging/update.pub)
cat "$out/NOTES.md"

heading "The same release once more"
rm -rf "$base/first"
mv "$out" "$base/first"
in_the_checkout tag -d "v$version" >/dev/null
python3 "$base/type.py" "$there" CONTRIBUTING.md packaging/release
cat "$out/SHA256SUMS"
diff "$base/first/SHA256SUMS" "$out/SHA256SUMS" || fail "Its hashes are others: what differs lies in $base/first and $out."
rm -r "$base/first"

heading "A box takes the update"
rm -rf "$base/box"
mkdir "$base/box"
dpkg-deb --fsys-tarfile "$out/companion_${version}_$kind.deb" | tar -xO ./usr/share/companion/update.pub >"$base/box.pub"
PYTHONPATH=tests .venv/bin/python - "$base" "$out/companion_${version}_$kind.update" "$version" <<'BOX'
import pathlib
import sys

from support.signed_updates import HOST, Box, parts

from companion.public.service import Done

base, update, version = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
box = Box(base / "box", base / "box.pub")
state = box.send(update.read_bytes(), piece=8_000_000)
print(state["state"], state["now"], "->", state["version"])
assert (state["state"], state["version"]) == ("ready", version), state
assert isinstance(box.page.take(HOST), Done)
said = box.helper()
print(said)
assert said == f"working {version}", said
assert (box.own / "verified.deb").read_bytes() == parts(update.read_bytes())[0]
BOX

heading "The folder for a card, of the release's package for $kind"
packaging/bundle "$kind" "$base" "$out/companion_${version}_$kind.deb"
heading "All is well"
