package outer

import (
	"slices"
	"strings"
	"unicode"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/keys"
)

// A Key is a character typed with Ctrl. The zero Key is never typed.
type Key struct{ char string }

// DefaultKey is the key that detaches by default.
var DefaultKey = Key{`\`}

// ParseKey returns the key of a name such as `ctrl-\`, `C-]` or `^]`; "off" is the zero Key. An
// error is of kind Invalid.
func ParseKey(name string) (Key, error) {
	lower := strings.ToLower(name)
	if lower == "off" || lower == "none" {
		return Key{}, nil
	}
	for _, prefix := range []string{"ctrl-", "ctrl+", "c-", "^"} {
		if rest, ok := strings.CutPrefix(lower, prefix); ok && len(rest) == 1 && hasControl(rest[0]) {
			return Key{rest}, nil
		}
	}
	return Key{}, fault.New(fault.Invalid, `%q is not a detach key: give one such as ctrl-\ or ctrl-], or "off"`, name)
}

// hasControl reports whether terminals have a control character for Ctrl with a character. Ctrl-I,
// Ctrl-M and Ctrl-[ are Tab, Enter and Escape on most, which programs need.
func hasControl(c byte) bool {
	return c >= 'a' && c <= 'z' && c != 'i' && c != 'm' || strings.IndexByte(`\]^_@`, c) >= 0
}

// String returns the name of the key for people.
func (k Key) String() string {
	if k.char == "" {
		return "off"
	}
	return "Ctrl+" + strings.ToUpper(k.char)
}

// is reports whether a pressed key is k. A key held down, and its release, are not.
func (k Key) is(pressed *keys.Key) bool {
	if k.char == "" || pressed.Event != "" || !slices.Equal(pressed.Modifiers, []string{"ctrl"}) {
		return false
	}
	got := strings.Map(unicode.ToLower, pressed.Key)
	return got == k.char || k.char == "@" && got == " "
}
