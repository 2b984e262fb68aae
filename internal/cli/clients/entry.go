package clients

import (
	"strings"

	"ui-mcp/packaging"
)

// Words returns the command of a server's entry and its arguments, or nil.
func Words(entry map[string]any) (words []string) {
	for _, key := range []string{"command", "args"} {
		switch value := entry[key].(type) {
		case string:
			words = append(words, value)
		case []any:
			for _, v := range value {
				if text, ok := v.(string); ok {
					words = append(words, text)
				}
			}
		}
		if len(words) == 0 {
			return nil
		}
	}
	return words
}

// Split returns the words of an entry that start a command of ours, whichever copy of it, and the
// command's arguments. The first is nil if the entry starts another program.
func Split(words []string, c packaging.Command) (own, rest []string) {
	at := 0
	name := func() string {
		if at >= len(words) {
			return ""
		}
		base := strings.ToLower(words[at][strings.LastIndexAny(words[at], `/\`)+1:])
		return strings.TrimSuffix(strings.TrimSuffix(base, ".exe"), ".cmd")
	}
	isPackage := func(of string) bool {
		if at >= len(words) {
			return false
		}
		text, _, _ := strings.Cut(words[at], "==")
		return text == of || strings.HasPrefix(text, of+"@")
	}
	if name() == "cmd" && len(words) > 1 && strings.EqualFold(words[1], "/c") {
		at = 2
	}
	switch name() {
	case c.Name:
	case "npx":
		for at++; at < len(words) && (words[at] == "-y" || words[at] == "--yes"); at++ {
		}
		if !isPackage(c.NPM) {
			return nil, nil
		}
	case "uvx":
		if at++; at < len(words) && words[at] == "--from" {
			if at++; !isPackage(c.PyPI) {
				return nil, nil
			}
			at++
		}
		if !isPackage(c.Name) {
			return nil, nil
		}
	default:
		return nil, nil
	}
	return words[:at+1], words[at+1:]
}
