package caller

import (
	"os"
	"os/user"
	"strings"
	"unicode"

	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/label"
)

// TerminalName returns the name by which others know this terminal: the user and the terminal, such
// as ann@pts/3.
func (e Env) TerminalName() string {
	name := e.userName()
	if f, ok := e.In.(*os.File); ok && f != nil {
		if tty := strings.TrimPrefix(ttyOf(f), "/dev/"); tty != "" {
			name += "@" + tty
		}
	}
	return safetext.Name(name, label.MaxName, func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_.@:/", r)
	})
}

// userName returns the name of the user, without a domain.
func (e Env) userName() string {
	name := e.Vars.Get("USER")
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	if i := strings.LastIndexByte(name, '\\'); i >= 0 {
		name = name[i+1:]
	}
	if name == "" {
		return "user"
	}
	return name
}
