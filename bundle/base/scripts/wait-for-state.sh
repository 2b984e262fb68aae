#!/bin/sh
# Prints what an app tells the agent (mcp.pushState), one JSON object on each
# line. Ends when the server does.
#
#   wait-for-state.sh BASE_URL [TIMEOUT]
#
# BASE_URL is the agent's door, such as http://127.0.0.1:8001; TIMEOUT is how
# many seconds one request waits, 30 if it is left out. The script "event" does
# the same, and finds the URL by itself. It needs curl and awk.

base_url=${1:?usage: wait-for-state.sh BASE_URL [TIMEOUT]}
timeout=${2:-30}
command -v curl >/dev/null || {
    echo "wait-for-state.sh: curl is needed; \"ui-mcp event\" does the same without it" >&2
    exit 1
}

# Splits a JSON array into its elements, one on each line. It only has to know
# strings and brackets; JSON has no line ends inside of either.
elements() {
    LC_ALL=C awk '
        { text = text $0 }
        END {
            n = length(text)
            for (i = 1; i <= n; i++) {
                c = substr(text, i, 1)
                if (quoted) {
                    if (c == "\\") { i++ }
                    else if (c == "\"") { quoted = 0 }
                } else if (c == "\"") {
                    quoted = 1
                } else if (c == "[" || c == "{") {
                    if (++depth == 1) { start = i + 1 }
                } else if (c == "]" || c == "}") {
                    depth--
                }
                if (!quoted && (depth == 1 && c == "," || depth == 0 && c == "]")) {
                    if (i > start) { print substr(text, start, i - start) }
                    start = i + 1
                }
            }
        }'
}

while :; do
    answer=$(curl -q -sS --noproxy '*' -w '\n%{http_code}' "$base_url/wait?timeout=$timeout" 2>/dev/null) || exit 0
    status=${answer##*
}
    body=${answer%
*}
    case $status in
    200) printf '%s\n' "$body" | elements || exit 1 ;;
    204) ;;
    409 | 410) exit 0 ;; # it is ending
    *)
        echo "wait-for-state.sh: the server answered: ${body:-$status}" >&2
        exit 1
        ;;
    esac
done
