# shellcheck shell=sh
# Sourced by the scripts beside it, from the project's folder: a Debian of its own in a folder of /var/tmp.

. systemd/apt.sh

began=$(date +%s)
mirror=${MIRROR:-http://deb.debian.org/debian}

heading() { printf '\n== %s (after %s s)\n' "$*" "$(($(date +%s) - began))"; }

# need PROGRAM PACKAGE: a program of this computer.
need() {
    if command -v "$1" >/dev/null || [ -x "/usr/sbin/$1" ]; then return; fi
    fetch "$2" || fail "$1 is missing: $why"
}

# want_root SCRIPT...: ends here for everybody but root.
want_root() {
    [ "$(id -u)" = 0 ] || fail "A Debian of its own needs root: sudo $*"
}

# want_suite NAME: ends here for what we do not try.
want_suite() {
    case "$1" in
        bookworm | trixie) ;;
        *) fail "Want bookworm or trixie, not '$1'." ;;
    esac
}

# zbar SUITE: what its package of the second code reader is called.
zbar() { if [ "$1" = bookworm ]; then echo libzbar0; else echo libzbar0t64; fi; }

# make_debian FOLDER SUITE OPTION...: the Debian in FOLDER, with these options of debootstrap; made once, then kept.
# $maker is the program that makes it: mmdebstrap takes the same options, and knows packages that stand for others.
maker=debootstrap
make_debian() {
    folder=$1
    release=$2
    shift 2
    need "$maker" "$maker"
    if [ -f "$folder/made" ]; then return; fi
    rm -rf "$folder"
    mkdir -p "$folder"
    "$maker" --variant=minbase "$@" "$release" "$folder" "$mirror" >"$folder.log" 2>&1 ||
        fail "$maker failed, see $folder.log"
    touch "$folder/made"
}

# give_network FOLDER: this computer's certificates, name servers, processes and devices, for a Debian to be entered.
give_network() {
    mkdir -p "$1/etc/ssl/certs"
    cp /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/ca-certificates.crt"
    cp /etc/resolv.conf "$1/etc/resolv.conf"
    mount -t proc proc "$1/proc"
    mount --bind /dev "$1/dev"
}

# take_network FOLDER: what give_network mounted.
take_network() {
    for mounted in proc dev; do
        if mountpoint -q "$1/$mounted"; then umount -l "$1/$mounted"; fi
    done
}

# copy_project FOLDER [EXCLUDED]: the project as it is here, without what was made by running it.
copy_project() {
    rm -rf "$1"
    mkdir -p "$1"
    tar -cf - --exclude='./.venv*' --exclude=./.git --exclude=./build --exclude=./out --exclude='./.*_cache' \
        --exclude='*/__pycache__' --exclude=./.hypothesis ${2:+"--exclude=$2"} . | tar -xf - -C "$1"
}

# until_so SECONDS COMMAND...: as soon as it is so; ends here when it never is.
until_so() {
    left=$(($1 * 2))
    shift
    while ! "$@" >/dev/null 2>&1; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || fail "This did not come true: $*"
        sleep 0.5
    done
}

# For scripts that start a container with systemd-nspawn, whose process is $outside.
# leader: the container's first process; off: whether the container is.
outside=
leader() { pgrep -P "$outside" -x systemd | head -n 1 | grep .; }
off() { ! kill -0 "$outside" 2>/dev/null; }

# switch_on FOLDER OPTION...: starts the Debian in FOLDER; the options are systemd-nspawn's.
switch_on() {
    folder=$1
    shift
    systemd-nspawn -q --register=no --keep-unit "$@" --boot -D "$folder" </dev/null >"$folder.said" 2>&1 &
    outside=$!
}

# switch_off: in good order, and after a minute without; does nothing where it is off.
switch_off() {
    if [ -z "$outside" ] || off; then return; fi
    leader >/dev/null 2>&1 && kill -RTMIN+4 "$(leader)" 2>/dev/null # poweroff
    for _ in $(seq 60); do
        if off; then break; fi
        sleep 1
    done
    kill -9 "$outside" 2>/dev/null || :
    wait "$outside" 2>/dev/null || :
}

# inside COMMAND...: in the container, as root.
inside() {
    nsenter -t "$(leader)" -m -p -u -i -n -C env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=linux \
        HOME=/root LC_ALL=C.UTF-8 COMPANION_PI=0 "$@"
}
booted() { inside systemctl is-system-running | grep -qE 'running|degraded'; }
