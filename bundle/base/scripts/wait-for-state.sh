#!/bin/sh
# Prints the events that an app pushes (mcp.pushState), one JSON object per line, until the server
# ends.
#
#   wait-for-state.sh BASE_URL [TIMEOUT]
#
# BASE_URL is the URL of the agent's port, such as http://127.0.0.1:8001. TIMEOUT is how many seconds
# a request waits, by default 30. The script "event" does the same, and finds the URL by itself. It
# needs curl and awk.

base_url=${1:?usage: wait-for-state.sh BASE_URL [TIMEOUT]}
timeout=${2:-30}
command -v curl >/dev/null || {
    echo "wait-for-state.sh: curl is needed; \"ui-mcp event\" does the same without it" >&2
    exit 1
}

dir=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1

# elements prints the elements of a JSON array, one per line.
elements() { LC_ALL=C awk -f "$dir/elements.awk"; }

. "$dir/token.sh"
. "$dir/poll.sh"

address=${base_url#*://}
address=127.0.0.1:${address##*:}
address=${address%%/*}

while :; do
    poll "$address" "$base_url/wait?timeout=$timeout" || exit 0
    case $status in
    200) printf '%s\n' "$body" | elements || exit 1 ;;
    204) ;;
    409) exit 0 ;; # the server is shutting down
    *)
        echo "wait-for-state.sh: the server answered: ${body:-$status}" >&2
        exit 1
        ;;
    esac
done
