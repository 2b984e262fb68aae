package setup

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ui-mcp/internal/cli/clients"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/packaging"
)

// A start is how clients start the program: a command and its first arguments. The arguments of the
// program come after it.
type start []string

func (s start) String() string { return strings.Join(s, " ") }

// transient matches the places whose files go without being uninstalled, in paths with slashes. The
// groups say who puts programs there.
var transient = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(/_npx/[^/]+/node_modules/)|(/(?:archive|builds|environments)-v\d+/[^/]+/(?:bin|Scripts)/)|(/go-build\d*/.*/exe/)`)
})

// transientBy returns who has put a program where it does not stay, or "".
func transientBy(program string) string {
	found := transient().FindStringSubmatch(strings.ReplaceAll(program, `\`, "/"))
	for i, by := range []string{"npx", "uvx", "go run"} {
		if found != nil && found[i+1] != "" {
			return by
		}
	}
	return ""
}

// runner returns how npx or uvx starts a command, which is nil if its package is not published or
// if it is another runner.
func runner(by string, n packaging.Names, program string) start {
	c := n.Command(program)
	switch {
	case !n.Published:
	case by == "npx":
		return start{"npx", "-y", c.NPM}
	case by == "uvx" && c.PyPI == program:
		return start{"uvx", program}
	case by == "uvx":
		return start{"uvx", "--from", c.PyPI, program}
	}
	return nil
}

// startOf returns the command of an entry and its arguments, or nil: also if it has hooks, and not
// just one.
func startOf(entry map[string]any) start {
	list, isHook := entry[""].([]any)
	if !isHook {
		return clients.Words(entry)
	}
	var matchers []struct {
		Hooks []struct{ Command string }
	}
	err := json.Unmarshal(fault.Must(json.Marshal(list)), &matchers) // it was JSON
	if err != nil || len(matchers) != 1 || len(matchers[0].Hooks) != 1 {
		return nil
	}
	return startOfHook(matchers[0].Hooks[0].Command)
}

// startOfHook returns the command of a hook as we write it and its arguments, or nil.
func startOfHook(line string) start {
	line, ok := strings.CutSuffix(line, clients.HookEnd)
	at := strings.LastIndex(line, " hook")
	if !ok || at < 0 {
		return nil
	}
	line, args := line[:at], strings.Fields(line[at:])
	if program := strings.Trim(line, "'"); program != line {
		return append(start{program}, args...)
	}
	return append(strings.Fields(line), args...)
}

// isThis reports whether an entry starts this program already.
func (s setup) isThis(own start) bool {
	if len(own) > 1 || len(s.start) > 1 {
		return slices.Equal(own, s.start)
	}
	program := own[0]
	if filepath.Base(program) == program {
		program = clients.Find(s.machine.Vars, program)
	}
	return own[0] == s.start[0] || clients.IsSameFile(program, s.start[0])
}

// reason says why clients do not start the file of this process, or "".
func (s setup) reason() string {
	if len(s.start) == 1 {
		return ""
	}
	return "this copy of " + s.Program + " does not stay, so clients start it with " + s.start.String()
}

// startable reports whether a client can start an entry's command, as far as its file says.
func (s setup) startable(words start) bool {
	if filepath.IsAbs(words[0]) {
		return clients.IsProgram(words[0]) && transientBy(words[0]) == ""
	}
	return clients.Find(s.machine.Vars, words[0]) != ""
}

// self returns how clients start a program, of which this process's file is a copy: the one in
// PATH, if that leads to this file, since it stays when another version is installed; or else this
// file; or what starts it again, if the file does not stay. The error says what to do if there is
// no such thing.
func self(vars environ.Variables, file string, n packaging.Names, program string) (start, error) {
	by := transientBy(file)
	if found := clients.Find(vars, program); clients.IsSameFile(found, file) && transientBy(found) == "" {
		return start{found}, nil
	}
	if by == "" {
		return start{file}, nil
	}
	if words := runner(by, n, program); words != nil {
		return words, nil
	}
	return nil, fault.New(fault.Precondition, "%s is a copy that %s has made for now: clients could not start it later. Copy it to a folder that stays, such as ~/.local/bin, and call setup of that copy", file, by)
}
