package lua

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// runsCommands reports whether a command of a script is running, or waits for its turn.
func (t *terminal) runsCommands() bool {
	return t.runs.busy || len(t.runs.queue) > 0 || slices.ContainsFunc(t.inputs.queue, func(c *call) bool { return c.run != nil })
}

// terminalRun implements t:run(line, [options,] callback). Commands run one after another, each
// when what was typed before has been. What is typed later reaches the command.
func (vm *VM) terminalRun(l *lua.LState, t *terminal) int {
	line := l.CheckString(2)
	in := map[string]any{"line": line, "format": "plain"}
	opts, callback := options(l, "run", 3, "maxOutput", "timeout")
	patience := timeout(l, opts, defaultWaitMS*time.Millisecond)
	switch n := opts.RawGetString("maxOutput").(type) {
	case *lua.LNilType:
	case lua.LNumber:
		in["max_output"] = int(n)
	default:
		l.RaiseError("run: maxOutput must be a number of bytes")
	}
	in["max_wait_ms"] = patience.Milliseconds()
	if t.runsCommands() {
		in["at_prompt"] = true // it is not for the command that it has to wait for
	}
	cancelled := false
	ctx, cancel := context.WithCancel(context.Background())
	var answer []byte
	begun := make(chan struct{})
	begin := sync.OnceFunc(func() { close(begun) })
	script := vm.script(l)
	run := &call{
		t: t, what: "run", script: script, size: len(line), patience: patience + 10*time.Second, over: begin,
		do: func(outer context.Context, _ operate) (err error) {
			defer cancel()
			defer context.AfterFunc(outer, cancel)()
			in["session"] = t.ref()
			answer, err = vm.opts.Terminals.Run(ctx, script, marshal(in), begin)
			return err
		},
		done: func(err error) {
			if cancelled {
				return
			}
			var result lua.LValue = lua.LNil
			if err == nil {
				result, err = vm.ran(answer)
			}
			switch {
			case callback != nil:
				vm.answerTo(callback, result, err)
			case err != nil:
				vm.fail("callback", fmt.Sprintf("terminal %s: run: %s", t.name(), Message(err)))
			}
		},
	}
	t.inputs.add(t, l, &call{what: "run", script: script, size: len(line), run: run, begun: begun})
	handle := l.NewTable()
	handle.RawSetString("cancel", l.NewFunction(func(*lua.LState) int {
		cancelled = true
		cancel()
		return 0
	}))
	l.Push(handle)
	return 1
}

// ran returns the result of a command as scripts see it.
func (vm *VM) ran(answer []byte) (lua.LValue, error) {
	var got struct {
		State    string `json:"state"`
		NotRun   bool   `json:"not_run"`
		ExitCode *int   `json:"exit_code"`
		Duration int64  `json:"duration_ms"`
		Output   string `json:"output"`
		Complete bool   `json:"complete"`
		Screen   *struct {
			Lines []string `json:"lines"`
		} `json:"screen"`
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		return nil, err
	}
	tb := vm.state.NewTable()
	tb.RawSetString("state", lua.LString(got.State))
	tb.RawSetString("output", lua.LString(got.Output))
	tb.RawSetString("complete", lua.LBool(got.Complete))
	if got.NotRun {
		tb.RawSetString("notRun", lua.LTrue)
	}
	if got.ExitCode != nil {
		tb.RawSetString("status", lua.LNumber(*got.ExitCode))
	}
	if got.State == "done" {
		tb.RawSetString("duration", lua.LNumber(got.Duration))
	}
	if got.Screen != nil {
		tb.RawSetString("screen", lua.LString(strings.TrimRight(strings.Join(got.Screen.Lines, "\n"), "\n")))
	}
	return tb, nil
}
