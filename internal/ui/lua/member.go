package lua

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"
)

// A member is a field of a table, which becomes a member of a JSON object.
type member struct {
	name       string // the key in JSON
	key, value lua.LValue
}

func newMember(key, value lua.LValue) member {
	name := key.String()
	if !utf8.ValidString(name) {
		name = string([]rune(name)) // as it is written
	}
	return member{name, key, value}
}

// rank orders the keys that have the same name in JSON: strings come first, and of these the one
// that is the name.
func (m member) rank() int {
	s, ok := m.key.(lua.LString)
	switch {
	case ok && string(s) == m.name:
		return 0
	case ok:
		return 1
	}
	return 2
}

// clashing describes two keys with the same name.
func clashing(a, b member) string {
	show := func(m member) string {
		if s, ok := m.key.(lua.LString); ok {
			return fmt.Sprintf("%q", string(s))
		}
		return m.name
	}
	return fmt.Sprintf("the keys %s and %s have the same name in JSON", show(b), show(a))
}

// A Clash is a name that several keys of a table have in JSON.
type Clash struct {
	Message string
	// File and Line are where the table is made, or its type declared, as far as that is known.
	File string
	Line int
}

// Clashes returns the clashes of the last call of [VM.JSON].
func (vm *VM) Clashes() []Clash { return vm.clashes }

// maxClashes bounds how many clashes of one value are reported.
const maxClashes = 5

// clash records that the member b is left out, since a has its name; for scripts, it is an error.
func (e *encoder) clash(a, b member) {
	if e.strict {
		e.fail("%s", clashing(a, b))
	}
	if e.strict || len(e.clashes) >= maxClashes {
		return
	}
	c := Clash{Message: clashing(a, b)}
	if at := e.at(); at != "" {
		c.Message += ", in " + at
	}
	c.Message += fmt.Sprintf(": only the value of %q is used", a.name)
	field := ""
	for _, s := range e.path {
		field = cmp.Or(s.name, field)
	}
	c.File, c.Line = e.vm.whereSet(e.typ, field)
	e.clashes = append(e.clashes, c)
}

// whereSet returns where the file that declares a type sets a field, or else declares the type. It
// returns "" if no file does.
func (vm *VM) whereSet(typ, field string) (file string, line int) {
	p := vm.prototypes[typ]
	if p == nil || p.file == "" {
		return "", 0
	}
	src := vm.inForce[p.file].src
	for _, pattern := range []string{`\b` + regexp.QuoteMeta(field) + `\s*=[^=]`, `session\s*:\s*prototype\s*\(\s*["']` + regexp.QuoteMeta(typ) + `["']`} {
		if at := regexp.MustCompile(pattern).FindStringIndex(src); at != nil && (field != "" || !strings.HasPrefix(pattern, `\b`)) {
			return p.file, 1 + strings.Count(src[:at[0]], "\n")
		}
	}
	return p.file, 1
}

// Where returns the line of a script that has called the function given to [VM.Define] that is
// running, or "".
func (vm *VM) Where() (file string, line int) {
	if vm.caller == nil {
		return "", 0
	}
	frame, ok := vm.caller.GetStack(1)
	if !ok {
		return "", 0
	}
	if _, err := vm.caller.GetInfo("Sl", frame, lua.LNil); err != nil {
		return "", 0
	}
	return frame.Source, frame.CurrentLine
}
