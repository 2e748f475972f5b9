# shellcheck shell=sh
# shellcheck disable=SC2154 # $inbox and $reader are those of who sources this
# Sourced by update, update-install and home-wifi: how they hear of an order, and say what came of it. The table's half
# is companion/system/root_helper.py.

# tell WORD...: the last word, for whoever asks; never half of it.
tell() {
    printf '%s\n' "$*" >"$RUNTIME_DIRECTORY/status.new"
    chmod 644 "$RUNTIME_DIRECTORY/status.new"
    mv "$RUNTIME_DIRECTORY/status.new" "$RUNTIME_DIRECTORY/status"
}

# as_reader COMMAND...: as the user $reader, who owns the order: where a link is planted, it leads nowhere new.
as_reader() { setpriv --reuid "$reader" --regid "$reader" --clear-groups "$@"; }

# comes: whether there is an order in $inbox. Deleting what lies there wakes a helper too, and what comes while it runs
# wakes nobody: so it looks twice.
comes() { as_reader test -e "$inbox/ready" || { sleep 2 && as_reader test -e "$inbox/ready"; }; }
