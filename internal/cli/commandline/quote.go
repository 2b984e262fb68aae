package commandline

import "strings"

// Word quotes a word for the system's shell where that is needed.
func Word(w string) string {
	isPlain := w != ""
	for _, c := range w {
		isPlain = isPlain && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_./:=@%+,", c))
	}
	if isPlain {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// LastWord returns a name as the last argument of a command.
func LastWord(name string) string {
	if strings.HasPrefix(name, "-") {
		return "-- " + Word(name) // else it would be taken for a flag
	}
	return Word(name)
}
