package path

import "unicode"

func isNameRune(r rune, first bool) bool {
	switch {
	case r == '_', 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
		return true
	case '0' <= r && r <= '9':
		return !first
	case r == unicode.ReplacementChar:
		return false
	}
	return unicode.IsLetter(r)
}
