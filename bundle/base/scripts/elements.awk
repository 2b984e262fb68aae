# Splits a JSON array into its elements, one per line. It only needs to recognise strings and
# brackets, since a JSON string contains no line breaks. Run awk with LC_ALL=C.

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
}
