# shellcheck shell=sh
# shellcheck disable=SC2154 # $inbox, $reader and $own are those of who sources this
# Sourced by update, update-install and home-wifi: how they hear of an order, and say what came of it. The table's half
# is companion/box/root_helper.py.

# tell WORD...: the last word, for whoever asks; never half of it.
tell() {
    printf '%s\n' "$*" >"$RUNTIME_DIRECTORY/status.new"
    chmod 644 "$RUNTIME_DIRECTORY/status.new"
    mv "$RUNTIME_DIRECTORY/status.new" "$RUNTIME_DIRECTORY/status"
}

# as_reader COMMAND...: as the user $reader, who owns the order: where a link is planted, it leads nowhere new. Whoever is
# that user may take over such a process and all that it holds open. So it never gets a file of root's: see ordered.
as_reader() { setpriv --reuid "$reader" --regid "$reader" --clear-groups "$@" </dev/null; }

# ordered NAME BYTES: what lies there in $inbox, and no more than that, whatever the reader sends. It writes into a pipe
# alone; what root keeps of it, root writes.
ordered() { as_reader cat -- "$inbox/$1" 2>/dev/null | head -c "$2"; }

# comes: whether there is an order in $inbox. Deleting what lies there wakes a helper too, and what comes while it runs
# wakes nobody: so it looks twice.
comes() { as_reader test -e "$inbox/ready" || { sleep 2 && as_reader test -e "$inbox/ready"; }; }

# signed PACKAGE: whether the signature that came with it is that of whoever made the package that runs.
key=${COMPANION_UPDATE_KEY-/usr/share/companion/update.pub}
signed() { minisign -V -q -m "$1" -x "$own/package.deb.minisig" -p "$key" >/dev/null 2>&1; }

# refuse WORD: nothing is left of an update, and the host's page makes a sentence of the word.
refuse() {
    rm -f "$own"/*
    tell "refused $1"
    echo "The update is refused: $1" >&2
    exit 1
}
