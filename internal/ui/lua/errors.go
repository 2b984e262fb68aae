package lua

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/fault"
)

// A ScriptError is an error in the app's own code.
type ScriptError struct {
	Msg   string // with file and line where Lua knows them
	Trace string // Lua's stack, a line each, or ""
}

func (e *ScriptError) Error() string { return e.Msg }

// scriptError converts the error of a protected call into a fault.
func (vm *VM) scriptError(err error) error {
	var api *lua.ApiError
	if !errors.As(err, &api) {
		return &fault.Error{Kind: fault.Script, Msg: err.Error()}
	}
	se := &ScriptError{Trace: strings.TrimSpace(strings.TrimPrefix(api.StackTrace, "stack traceback:"))}
	switch {
	case api.Type == lua.ApiErrorSyntax || api.Type == lua.ApiErrorFile:
		se.Msg, se.Trace = syntaxMessage(api, ""), ""
	case api.Object != nil && api.Object != lua.LNil:
		se.Msg = vm.describe(api.Object)
	case api.Cause != nil:
		se.Msg = api.Cause.Error()
	default:
		se.Msg = "error"
	}
	if stop := vm.guard.err; stop != nil && !strings.Contains(se.Msg, stop.Error()) {
		// The script was stopped while it raised an error of its own.
		se.Msg = stop.Error() + " (" + se.Msg + ")"
	}
	return fault.Wrap(fault.Script, se, "Lua error")
}

// Message returns err's text for the script's author, without the wrapping that says where in this
// program it occurred.
func Message(err error) string {
	var se *ScriptError
	if errors.As(err, &se) {
		return se.Msg
	}
	return err.Error()
}

// syntaxMessage turns "FILE line:3(column:5) near 'x': parse error" into "FILE:3: …". The library
// gives no line at the end of a source: that and the last word come from src.
func syntaxMessage(api *lua.ApiError, src string) string {
	msg := api.Error()
	if api.Cause != nil {
		msg = api.Cause.Error()
	}
	name, rest, ok := strings.Cut(msg, " line:")
	if !ok {
		name, what, atEnd := strings.Cut(strings.TrimSpace(msg), " at EOF:")
		if !atEnd {
			return strings.Join(strings.Fields(msg), " ")
		}
		src = strings.TrimRight(src, " \t\r\n")
		what = strings.TrimSpace(what)
		if what == "syntax error" || what == "parse error" {
			what = "unexpected end of the file"
			if last := lastWord().FindString(src); last != "" {
				what += " after '" + last + "'"
			}
		}
		return fmt.Sprintf("%s:%d: %s", name, 1+strings.Count(src, "\n"), what)
	}
	line, rest, ok := strings.Cut(rest, "(column:")
	if !ok {
		return strings.Join(strings.Fields(msg), " ")
	}
	_, rest, _ = strings.Cut(rest, ")")
	rest = strings.Join(strings.Fields(rest), " ")
	near, what, ok := strings.Cut(rest, "': ")
	if ok {
		rest = what + " " + near + "'"
	}
	return fmt.Sprintf("%s:%s: %s", name, line, rest)
}

// lastWord is the last word or sign of a source.
var lastWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:[\w]+|[^\w\s])$`) })
