#!/bin/bash
# Outputs one JSON object per line when mcp.state events arrive.
# Exits when server shuts down.
BASE_URL="${1:?Usage: wait-for-state.sh <base_url> [timeout]}"
TIMEOUT="${2:-30}"

while true; do
    RESPONSE=$(curl -s -w "\n%{http_code}" "${BASE_URL}/wait?timeout=${TIMEOUT}" 2>/dev/null)
    [ $? -ne 0 ] && exit 0  # Server disconnected

    HTTP_CODE=$(echo "$RESPONSE" | tail -1)
    BODY=$(echo "$RESPONSE" | sed '$d')

    case "$HTTP_CODE" in
        200) echo "$BODY" | jq -c '.[]' ;;  # Output each event on its own line
        204) continue ;;                     # Timeout, retry
        *)   exit 1 ;;                       # Other error
    esac
done
