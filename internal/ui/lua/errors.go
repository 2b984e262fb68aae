package lua

import (
	"errors"
	"strings"

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
