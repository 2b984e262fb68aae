# Long polls that end with the script that makes them. Sourced by "event" and wait-for-state.sh.
#
# A request that outlived its script would take the next events and give them to nobody, and a
# script that is killed cannot clean up. So a watcher reads from a pipe whose other end only the
# script holds, and kills the request when that end closes, however the script ends.

dir_of_pipe=$(mktemp -d) && mkfifo "$dir_of_pipe/pid" || exit 1
(
    while read -r pid; do last=$pid; done
    [ -z "$last" ] || kill "$last"
) <"$dir_of_pipe/pid" >/dev/null 2>&1 &
exec 3>"$dir_of_pipe/pid"
rm -r "$dir_of_pipe"

# poll ADDRESS CURL-ARGUMENTS... makes one request to the server at ADDRESS (127.0.0.1:PORT). It sets
# status to that of the response, 000 if there is none, and body. It returns the status of curl.
poll() {
    status=000 body= options=$(authorize "$1")
    shift
    # The subshell reports its process ID, which curl keeps. The status comes last, on a line of its
    # own.
    answer=$(sh -c 'echo "$PPID"' >&3; exec 3>&-; exec curl -q -K - -sS --noproxy '*' -w '\n%{http_code}' "$@" 2>/dev/null <<END
$options
END
    )
    set -- $?
    echo >&3 # it has ended
    if [ "$1" -eq 0 ]; then
        status=${answer##*
}
        body=${answer%
*}
    fi
    return "$1"
}
