#!/bin/sh
# Prints a session's document from the agent's port. The scripts "state" and "variables" call it:
#
#   get.sh NAME PATH [--session ID]

name=$1 path=$2
shift 2

session=1
case $# in
0) ;;
1) case $1 in --session=*) session=${1#*=} ;; *) set -- usage ;; esac ;;
2) if [ "$1" = --session ]; then session=$2; else set -- usage; fi ;;
*) set -- usage ;;
esac
if [ "$1" = usage ]; then
    echo "usage: $name [--session ID]" >&2
    exit 2
fi

fail() {
    echo "$name: $*" >&2
    exit 1
}

command -v curl >/dev/null || fail "curl is needed; \"ui-mcp $name\" does the same without it"
dir=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd) || exit 1
. "$dir/scripts/token.sh"
port=
[ -f "$dir/mcp-port" ] && port=$(cat -- "$dir/mcp-port" 2>/dev/null)
status=000
if [ -n "$port" ]; then
    # The status comes last, on a line of its own.
    if answer=$(authorize "127.0.0.1:$port" | curl -q -K - -sS -G --noproxy '*' -w '\n%{http_code}' \
        -H 'Accept: application/json' --data-urlencode "session=$session" "http://127.0.0.1:$port$path" 2>/dev/null); then
        status=${answer##*
}
        body=${answer%
*}
    fi
fi
case $status in
200) printf '%s\n' "$body" ;;
000) fail "no server answers (port file: $dir/mcp-port): start one with the tool ui_start, or with ui-mcp serve" ;;
*) fail "the server answered: ${body:-$status}" ;;
esac
