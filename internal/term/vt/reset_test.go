package vt

import (
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
)

// keptByReset are the fields that may differ between a reset terminal and a new one, with the
// reason. A field that is not here must be restored by Terminal.reset.
var keptByReset = map[string]string{
	"parser":  "RIS ends its own sequence; the fields are valid only within one",
	"emit":    "not state",
	"history": "RIS empties it, but does not use line numbers again",
	"marks":   "they belong to the lines of the history",
	"tracked": "they belong to the caller",
	"tapes":   "output stays", "replays": "set at creation",
	"cwd":    "a fact about the program, not a setting of the terminal",
	"layout": "counts since the terminal was created",
	"scr":    "compared by identity",

	"pens": "a table that rows refer to", "clusters": "a table that rows refer to", "links": "a table that rows and history refer to",
	"ink": "valid only while inkFresh", "blank": "valid only while inkFresh",

	"updates": "counts since the terminal was created", "epoch": "counts changes", "stamp": "counts changes", "dirty": "counts changes", "redrawn": "counts changes", "seen": "counts changes",
	"cached": "a cache", "packing": "scratch memory", "unpacking": "scratch memory",
}

// notScrambled are further fields that reset needs intact.
var notScrambled = map[string]bool{"cols": true, "rows": true, "name": true}

// TestResetEqualsNew changes everything that a program can change, and every other number, flag and
// string of the terminal, field by field; then RIS must make it equal to a new terminal.
func TestResetEqualsNew(t *testing.T) {
	used, fresh := newTerminal(t, 20, 5, 10), newTerminal(t, 20, 5, 10)
	write(used, []byte(strings.Repeat("some text\r\n", 20)+
		"\x1b[?1049h\x1b[1;31m日本\x1b7\x1b[>1u\x1b[22t\x1b]4;1;#123456\x1b\\\x1b]2;title\x1b\\\x1b[3g\x1b[?2026h\x1b[?69h\x1b[2;3r\x1b(0\x1bN"))
	v := reflect.ValueOf(used).Elem()
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; keptByReset[name] == "" && !notScrambled[name] {
			scramble(v.Field(i), reflect.ValueOf(fresh).Elem().Field(i))
		}
	}
	used.reset()

	if used.scr != &used.primary {
		t.Error("the alternate screen is still active")
	}
	kept := func(p cmp.Path) bool {
		for i := 1; i < len(p); i++ {
			parent, field := p.Index(i-1).Type(), p.Index(i)
			f, ok := field.(cmp.StructField)
			switch {
			case !ok:
			case parent == reflect.TypeFor[Terminal]() && keptByReset[f.Name()] != "":
				return true
			case parent == reflect.TypeFor[screen]() && f.Name() == "ring": // memory for rows
				return true
			}
		}
		return false
	}
	sameRows := func(a, b []*row) bool { // missing rows are as good as empty ones
		for _, r := range append(append([]*row(nil), a...), b...) {
			if r.used != 0 || r.wraps || r.mixed || r.rich {
				return false
			}
		}
		return true
	}
	if d := cmp.Diff(fresh, used, cmp.Exporter(func(reflect.Type) bool { return true }), cmp.FilterPath(kept, cmp.Ignore()), cmp.Comparer(sameRows)); d != "" {
		t.Errorf("after a reset (-new +reset):\n%s", d)
	}
	if state := used.parser.state; state != stateGround {
		t.Errorf("parser state %d", state)
	}
}

// scramble makes every number, flag and string in v differ from its counterpart in fresh.
func scramble(v, fresh reflect.Value) {
	v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem() // the fields are not exported
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!fresh.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(fresh.Int() + 1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(fresh.Uint() + 1)
	case reflect.String:
		v.SetString(fresh.String() + "x")
	case reflect.Struct:
		for i := range v.NumField() {
			scramble(v.Field(i), fresh.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			scramble(v.Index(i), fresh.Index(i))
		}
	}
}
