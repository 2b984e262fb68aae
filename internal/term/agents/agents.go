// Package agents tells from a command line which agent a program is, and from its hooks, its title
// and its screen what it does. Nothing is typed or answered because of it.
package agents

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// A State says what an agent does.
type State string

const (
	Working State = "working"
	Asks    State = "asks" // for a permission, or an answer
	Idle    State = "idle" // it waits for a prompt
)

// An Agent is a program in a session. The zero value is no agent.
type Agent struct {
	Name  string
	State State
}

// An agent has these signs in its title, or in the last rows that are not empty: above them is what
// was said before. It is idle without any.
type agent struct {
	name          string
	rows          int
	asks, working []string
}

// known are the agents, with the version that was seen, or whose source was read. All that have a
// title begin it with a spinner while they work.
var known = []agent{
	{"claude", 12, []string{"Esc to cancel"}, []string{"esc to interrupt"}},                                           // 2.1.197
	{"codex", 12, []string{"Action Required", "enter to confirm or esc"}, []string{"esc to interrupt"}},               // 0.171.0
	{"opencode", 12, []string{"Permission required", "esc dismiss"}, []string{"esc interrupt", "again to interrupt"}}, // 1.18.33
	{"gemini", 12, []string{"Action Required"}, []string{"Working…", "esc to cancel"}},                                // 0.61.0
	{"aider", 1, []string{"(Y)es/(N)o"}, []string{"Waiting for "}},                                                    // its source, commit 21a05ead
}

// interpreters are programs that run agents. The name may have a version behind it.
var interpreters = []string{"node", "bun", "deno", "python"}

// Named returns the name of the agent that a command line starts, or "".
func Named(args []string) string {
	for i, arg := range args[:min(3, len(args))] { // behind an interpreter, there may be a flag
		name := strings.ToLower(path.Base(strings.ReplaceAll(arg, `\`, "/")))
		for _, end := range []string{".exe", ".js", ".mjs", ".py"} {
			name = strings.TrimSuffix(name, end)
		}
		if slices.ContainsFunc(known, func(a agent) bool { return a.name == name }) {
			return name
		}
		if i == 0 && !slices.ContainsFunc(interpreters, func(p string) bool { return strings.HasPrefix(name, p) }) {
			break
		}
	}
	return ""
}

// Doing returns what the agent of that name does, whose screen has these rows.
func Doing(name, title string, rows []string) State {
	i := slices.IndexFunc(known, func(a agent) bool { return a.name == name })
	if i < 0 {
		return ""
	}
	a := known[i]
	rows = slices.DeleteFunc(slices.Clone(rows), func(row string) bool { return strings.TrimSpace(row) == "" })
	seen := title + "\n" + strings.Join(rows[max(0, len(rows)-a.rows):], "\n")
	shows := func(signs []string) bool {
		return slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(seen, sign) })
	}
	spinner, _ := utf8.DecodeRuneInString(title)
	switch {
	case shows(a.asks):
		return Asks
	case shows(a.working), spinner >= '⠀' && spinner <= '⣿':
		return Working
	}
	return Idle
}

// A Sight is what is known of what an agent does. The zero value knows nothing.
type Sight struct {
	Said State // by the agent's hooks; "" if they said nothing, or something newer was seen
	Seen State // on the screen
}

// stillTime is how long nothing must change before an agent does not work: one that works shows how
// long it has.
const stillTime = 10 * time.Second

// See returns the sight after the screen has shown a state, and nothing was drawn or said for a
// time. What hooks said counts until the screen shows something newer: a sign of another state, or
// that the state which they reported is over. No sign alone says nothing: other versions of an
// agent may have other signs. But no agent works without drawing anything: its prompt may have been
// taken back before the screen has shown any work, for which there is no hook.
func (s Sight) See(now State, still time.Duration) Sight {
	switch {
	case now != s.Seen && now != s.Said && (now != Idle || s.Seen == s.Said),
		now == Idle && s.Said == Working && still >= stillTime:
		s.Said = ""
	}
	s.Seen = now
	return s
}

// State returns what the agent does.
func (s Sight) State() State { return cmp.Or(s.Said, s.Seen) }
