# shellcheck shell=sh
# Sourced by ./run, ./test, systemd/install and packaging: fetch Debian packages where we may, and say it where we may not.

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "$*"
    exit 1
}

# explain SCRIPT: the words at the top of a script.
explain() { sed -n -e '2,/^[^#]/ { /^#/ { s/^# \{0,1\}//; p; } }' "$1"; }

# help_if_asked SCRIPT WORD...: these, and no more, for whoever asks with -h or --help.
help_if_asked() {
    script=$1
    shift
    case ${1-} in -h | --help)
        explain "$script"
        exit
        ;;
    esac
}

# quoted PATH: as a shell takes it, whatever signs it has; a plain one stays as it is.
quoted() {
    case $1 in
        *[!A-Za-z0-9/._~+-]*) printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")" ;;
        *) printf '%s' "$1" ;;
    esac
}

# Prints the words that make a command run as root; fails where nobody would let us without asking.
root_words() {
    if [ "$(id -u)" = 0 ]; then
        printf ''
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        printf 'sudo -n'
    else
        return 1
    fi
}

# fetch PACKAGE...: installs Debian packages without a question, and says so; 1, and $why set, where that cannot be.
# COMPANION_NO_APT=1 forbids it.
fetch() {
    why=
    if [ -n "${COMPANION_NO_APT-}" ] && [ "$COMPANION_NO_APT" != 0 ]; then
        why="COMPANION_NO_APT forbids installing packages: sudo apt-get install $*"
        return 1
    fi
    if ! command -v apt-get >/dev/null; then
        why="there is no apt-get here; the Debian package is called $*"
        return 1
    fi
    if ! sudo_words=$(root_words); then
        why="that needs root: sudo apt-get install $*"
        return 1
    fi
    say "Installing with apt-get, as root: $*"
    # The lists of a fresh system are empty or old: fetch them only when the first try says so.
    # shellcheck disable=SC2086 # no words at all when we are root
    if $sudo_words env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=120 \
        install --no-install-recommends "$@" >/dev/null 2>&1 ||
        { $sudo_words apt-get -qq -o DPkg::Lock::Timeout=120 update >/dev/null 2>&1 &&
            $sudo_words env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=120 \
                install --no-install-recommends "$@" >/dev/null 2>&1; }; then
        return 0
    fi
    # shellcheck disable=SC2034 # read by whoever called
    why="apt-get could not fetch it (no network?): sudo apt-get install $*"
    return 1
}

# own_folder FOLDER: makes a folder in which nobody but us may plant a link, or fails; /var/tmp belongs to everybody.
own_folder() {
    mkdir -p "$1"
    if [ -L "$1" ] || [ "$(stat -c %u "$1")" != "$(id -u)" ] || [ -n "$(find "$1" -maxdepth 0 -perm /022)" ]; then
        fail "$1 is a link, or others may write there: take it away first, or name another folder."
    fi
}

# on_a_pi: is this a Raspberry Pi? COMPANION_PI=0 or 1 answers instead, for trying things out.
on_a_pi() {
    case "${COMPANION_PI-}" in
        0) return 1 ;;
        1) return 0 ;;
    esac
    grep -qs 'Raspberry Pi' /proc/device-tree/model
}
