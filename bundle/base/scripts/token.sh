# The token of a server, for systems that do not tell the server whose program asks. Sourced by the
# scripts that send requests.

# authorize ADDRESS prints options for curl, to be read from a file: the token of the server at
# ADDRESS (127.0.0.1:PORT), if this user has one there. As an argument, others could read it.
authorize() {
    case $(uname) in
    Darwin) cache=$HOME/Library/Caches ;;
    *) cache=${XDG_CACHE_HOME:-$HOME/.cache} ;;
    esac
    for file in "${XDG_RUNTIME_DIR:-/run/user/$(id -u)}"/wsh/*.json "$cache"/wsh/*.json "$cache"/ui-mcp/servers2/*.json; do
        server=$(cat -- "$file" 2>/dev/null) || continue
        case $server in
        *'"address":"'"$1"'"'*'"token":"'*) ;;
        *) continue ;;
        esac
        pid=${server#*'"pid":'}
        kill -0 "${pid%%[!0-9]*}" 2>/dev/null || continue # it was killed, and the port may be another's
        token=${server#*'"token":"'}
        printf 'header = "Authorization: Bearer %s"\n' "${token%%'"'*}"
        return
    done
}
