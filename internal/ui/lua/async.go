package lua

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/fault"
)

const (
	// MaxAnswer bounds the response to a request and the output of a process, in bytes.
	MaxAnswer = 8 << 20
	// maxJobs bounds the requests and processes of a session that are under way at once.
	maxJobs = 64

	defaultHTTPTimeout = 30 * time.Second
	defaultExecTimeout = 10 * time.Minute
)

// A Request is a request of session:http. The method is in upper case and the URL is absolute, with
// the scheme http or https.
type Request struct {
	Method, URL string
	Header      map[string]string
	Body        []byte
	Limit       int // of the response's body, in bytes; a longer body is an error
}

// A Response is a server's response. Names of header fields are in lower case.
type Response struct {
	Status int
	Header map[string]string
	Body   []byte
}

// A Command is what session:exec, os.execute and io.popen run.
type Command struct {
	Argv  []string // at least the program
	Dir   string   // "" is the process's own
	Env   []string // NAME=value, beyond the process's own
	Input []byte   // standard input
	Limit int      // of standard output and of standard error, in bytes; longer output is an error
}

// A Result is the result of a command that ran. A code other than 0 is not a Go error.
type Result struct {
	Code           int
	Stdout, Stderr []byte
}

// An awaited is a function to be called: by a timer, or when a request or process has ended.
type awaited struct {
	fn     *lua.LFunction // nil if the script gave none
	every  time.Duration  // of an interval; else 0
	after  time.Duration  // of a timer: how long after it was set
	cancel func()
}

// await adds what a script waits for to the timers or jobs. It is cancelled if the file that is
// being loaded fails.
func (vm *VM) await(set map[int]*awaited, p *awaited) (id int) {
	vm.handles++
	id = vm.handles
	set[id] = p
	vm.Did(func() { delete(set, id); p.cancel() }, nil)
	return id
}

// drop cancels what is pending, unless the file that is being loaded fails.
func (vm *VM) drop(set map[int]*awaited, id int) {
	if p := set[id]; p != nil {
		delete(set, id) // so it does nothing, even if it is due
		vm.Did(func() { set[id] = p }, func() { p.cancel() })
	}
}

// A task is work outside the VM's goroutine, with a function that makes its result there.
type task func(context.Context) (result func() (lua.LValue, error), err error)

// start runs work outside the session, and later calls callback with its outcome, converted by
// result. It returns the handle, a table with the method cancel. Once cancelled, callback is not
// called.
func (vm *VM) start(l *lua.LState, what string, timeout time.Duration, callback *lua.LFunction, work task) *lua.LTable {
	switch {
	case vm.opts.Background == nil:
		l.RaiseError("%s: nothing can run beside the session here", what)
	case len(vm.jobs) >= maxJobs:
		l.RaiseError("%s: %d requests and processes are under way already: wait for some", what, maxJobs)
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	id := vm.await(vm.jobs, &awaited{fn: callback, cancel: cancel})
	vm.opts.Background(func(outer context.Context) func() {
		defer cancel()
		defer context.AfterFunc(outer, cancel)()
		result, err := work(ctx)
		if err != nil && ctx.Err() == context.DeadlineExceeded {
			err = fmt.Errorf("no answer within %s", timeout)
		}
		return func() {
			if vm.jobs[id] == nil {
				return // cancelled
			}
			delete(vm.jobs, id)
			vm.report(what, callback, result, err)
		}
	})
	return vm.handle(func() { vm.drop(vm.jobs, id) })
}

func (vm *VM) handle(cancel func()) *lua.LTable {
	tb := vm.state.NewTable()
	tb.RawSetString("cancel", vm.state.NewFunction(func(*lua.LState) int {
		cancel()
		return 0
	}))
	return tb
}

// report calls a callback with a result, or with nil and an error. Without a callback, an error is
// a problem of the session.
func (vm *VM) report(what string, callback *lua.LFunction, result func() (lua.LValue, error), err error) {
	var v lua.LValue
	if err == nil {
		v, err = result()
	}
	switch {
	case callback == nil && err != nil:
		vm.fail("callback", what+": "+Message(err))
	case callback == nil:
	case err != nil:
		_ = vm.callback("callback", callback, lua.LNil, lua.LString(Message(err))) // it has been reported
	default:
		_ = vm.callback("callback", callback, v, lua.LNil)
	}
}

// Callback calls a function that has no caller to report to: its error goes to [Options.Failed].
// Arguments may be anything that [VM.Import] accepts. A value that is not a function is an error,
// too.
func (vm *VM) Callback(fn Value, args ...any) {
	f, ok := fn.(*lua.LFunction)
	if !ok {
		vm.fail("callback", "a function is needed, not a "+in(fn).Type().String())
		return
	}
	values := make([]lua.LValue, len(args))
	for i, a := range args {
		values[i] = vm.lua(a)
	}
	_ = vm.callback("callback", f, values...) // it has been reported
}

// callback calls a function that has no caller to report to.
func (vm *VM) callback(kind string, fn *lua.LFunction, args ...lua.LValue) error {
	vm.lastCallback = fn
	err := vm.call(fn, 0, args...)
	if err != nil {
		vm.failed(kind, err)
	}
	if err := vm.migrate(false, false); err != nil {
		vm.failed(kind, err)
	}
	return err
}

// LastCallback returns where the last function is defined that a timer or a listener called, as
// FILE:LINE, or "".
func (vm *VM) LastCallback() string {
	if vm.lastCallback == nil || vm.lastCallback.IsG {
		return ""
	}
	p := vm.lastCallback.Proto
	return fmt.Sprintf("%s:%d", p.SourceName, p.LineDefined)
}

// fail is like failed, for an error that is not Lua's own.
func (vm *VM) fail(kind, msg string) { vm.failed(kind, fault.New(fault.Script, "%s", msg)) }

func (vm *VM) failed(kind string, err error) {
	if vm.opts.Failed != nil {
		vm.opts.Failed(kind, err)
		return
	}
	vm.ErrorLog(Message(err))
	vm.opts.Log.Warn("a script failed", "kind", kind, "error", err)
}

// timeout returns a table's field of that name, in milliseconds.
func timeout(l *lua.LState, tb *lua.LTable, otherwise time.Duration) time.Duration {
	switch v := tb.RawGetString("timeout").(type) {
	case *lua.LNilType:
		return otherwise
	case lua.LNumber:
		if d := milliseconds(float64(v)); d > 0 {
			return d
		}
	}
	l.RaiseError("timeout must be a number of milliseconds")
	return 0
}

// text returns a table's field of that name: a string, or "" if it is absent.
func text(l *lua.LState, tb *lua.LTable, name string) string {
	switch v := tb.RawGetString(name).(type) {
	case *lua.LNilType:
		return ""
	case lua.LString, lua.LNumber:
		return v.String()
	default:
		l.RaiseError("%s must be a string, not a %s", name, v.Type())
		return ""
	}
}

// texts returns a value of that name, which must be a table from names to strings or nil.
func texts(l *lua.LState, name string, v lua.LValue) map[string]string {
	out := map[string]string{}
	switch v := v.(type) {
	case *lua.LNilType:
	case *lua.LTable:
		v.ForEach(func(k, v lua.LValue) {
			key, ok := k.(lua.LString)
			if !ok || v.Type() == lua.LTTable || v.Type() == lua.LTFunction || strings.ContainsAny(k.String()+v.String(), "\r\n\x00") {
				l.RaiseError("%s must have names and texts of one line", name)
			}
			out[string(key)] = v.String()
		})
	default:
		l.RaiseError("%s must be a table", name)
	}
	return out
}

// sessionHTTP implements session:http(request, callback).
func (vm *VM) sessionHTTP(l *lua.LState) int {
	if vm.opts.HTTP == nil {
		l.RaiseError("session:http is switched off, by --no-http or by \"http\": false in config.json")
	}
	var tb *lua.LTable
	switch v := l.Get(2).(type) {
	case lua.LString:
		tb = l.NewTable()
		tb.RawSetString("url", v)
	case *lua.LTable:
		tb = v
	default:
		l.ArgError(2, "a URL or a table with the field url expected")
	}
	callback := l.OptFunction(3, nil)
	req := Request{
		Method: strings.ToUpper(text(l, tb, "method")),
		URL:    text(l, tb, "url"),
		Header: map[string]string{},
		Body:   []byte(text(l, tb, "body")),
		Limit:  MaxAnswer,
	}
	u, err := url.Parse(req.URL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		l.RaiseError("session:http: %q is no URL with http:// or https://", req.URL)
	}
	for k, v := range texts(l, "headers", tb.RawGetString("headers")) {
		req.Header[strings.ToLower(k)] = v
	}
	if v := tb.RawGetString("json"); v != lua.LNil {
		body, err := vm.encode(v)
		if err != nil {
			l.RaiseError("session:http: json: %s", err)
		}
		req.Body = body
		if req.Header["content-type"] == "" {
			req.Header["content-type"] = "application/json"
		}
	}
	if req.Method == "" {
		req.Method = "GET"
		if len(req.Body) > 0 {
			req.Method = "POST"
		}
	}
	do := vm.opts.HTTP
	l.Push(vm.start(l, "session:http", timeout(l, tb, defaultHTTPTimeout), callback,
		func(ctx context.Context) (func() (lua.LValue, error), error) {
			resp, err := do(ctx, req)
			return func() (lua.LValue, error) { return vm.response(resp), nil }, err
		}))
	return 1
}

// response returns the argument of session:http's callback.
func (vm *VM) response(r Response) lua.LValue {
	l := vm.state
	headers := l.CreateTable(0, len(r.Header))
	for k, v := range r.Header {
		headers.RawSetString(strings.ToLower(k), lua.LString(v))
	}
	body := string(r.Body)
	tb := l.NewTable()
	tb.RawSetString("status", lua.LNumber(r.Status))
	tb.RawSetString("ok", lua.LBool(r.Status >= 200 && r.Status < 300))
	tb.RawSetString("headers", headers)
	tb.RawSetString("body", lua.LString(body))
	tb.RawSetString("json", l.NewFunction(func(l *lua.LState) int {
		return vm.pushDecoded(l, body, false)
	}))
	return tb
}

// sessionExec implements session:exec(argv, [options,] callback).
func (vm *VM) sessionExec(l *lua.LState) int {
	if vm.opts.Exec == nil {
		l.RaiseError("session:exec is switched off, by --no-exec or by \"exec\": false in config.json")
	}
	list := l.CheckTable(2)
	opts := l.NewTable()
	at := 3
	if tb, ok := l.Get(3).(*lua.LTable); ok {
		opts, at = tb, 4
	}
	callback := l.OptFunction(at, nil)
	cmd := Command{Dir: text(l, opts, "cwd"), Input: []byte(text(l, opts, "input")), Limit: MaxAnswer}
	for i := 1; i <= list.Len(); i++ {
		switch v := list.RawGetInt(i).(type) {
		case lua.LString, lua.LNumber:
			cmd.Argv = append(cmd.Argv, v.String())
		default:
			l.RaiseError("session:exec: argument %d is a %s, not a string", i, v.Type())
		}
	}
	if len(cmd.Argv) == 0 {
		l.RaiseError("session:exec: the list of the program and its arguments is empty")
	}
	for k, v := range texts(l, "env", opts.RawGetString("env")) {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	do := vm.opts.Exec
	l.Push(vm.start(l, "session:exec", timeout(l, opts, defaultExecTimeout), callback,
		func(ctx context.Context) (func() (lua.LValue, error), error) {
			res, err := do(ctx, cmd)
			return func() (lua.LValue, error) {
				return vm.lua(map[string]any{"code": res.Code, "stdout": string(res.Stdout), "stderr": string(res.Stderr)}), nil
			}, err
		}))
	return 1
}
