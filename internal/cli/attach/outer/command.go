package outer

import (
	"slices"
	"strings"

	"ui-mcp/internal/term/keys"
)

// A Command is what a key asks the client to do when it follows the detach key.
type Command int

// Commands, with their keys.
const (
	Pass     Command = iota // none: pass the part on
	LookBack                // [: look back; PageUp: one page up
	Agent                   // a: show or hide what agents do
	Choose                  // s: choose another session
	Previous                // L: return to the previous session
	Rename                  // $: rename the session
	Help                    // ?: list these keys
	Suspend                 // Ctrl+Z: suspend the client
	Prefix                  // the detach key itself: it waits for the next key

	detach  // d
	literal // \: the program gets the detach key
)

// commands are the characters of commands.
var commands = map[string]Command{"[": LookBack, "d": detach, "a": Agent, "s": Choose, "L": Previous, "$": Rename, "?": Help, `\`: literal}

// command returns what a key after the detach key asks for, and with which keys looking back
// begins.
func (in *Input) command(key *keys.Key) (c Command, keys []byte) {
	switch {
	case in.Suspends && isControl(key, "z"):
		return Suspend, nil
	case slices.Contains(key.Modifiers, "ctrl") || slices.Contains(key.Modifiers, "alt"):
		return Pass, nil
	case key.Key == "PageUp":
		return LookBack, []byte("\x1b[5~")
	}
	char := key.Key
	if len(char) == 1 && slices.Contains(key.Modifiers, "shift") { // as programs can ask terminals to report it
		char = strings.ToUpper(char)
	}
	return commands[char], nil
}

// isControl reports whether a pressed key is a letter with Ctrl alone.
func isControl(key *keys.Key, letter string) bool {
	return key.Event == "" && key.Key == letter && len(key.Modifiers) == 1 && key.Modifiers[0] == "ctrl"
}
