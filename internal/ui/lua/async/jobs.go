package async

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/fault"
	engine "ui-mcp/internal/ui/lua"
)

const (
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

// An awaited is a function to be called: by a timer, or when a request or process has ended.
type awaited struct {
	fn     *lua.LFunction // nil if the script gave none
	repeat bool           // it is an interval
	after  time.Duration  // of a timer: how long after it was set, or after the last time
	cancel func()
}

// await adds what a script waits for to the timers or jobs. It is cancelled if the file that is
// being loaded fails.
func (lib *Library) await(set map[int]*awaited, p *awaited) (id int) {
	lib.handles++
	id = lib.handles
	set[id] = p
	lib.vm.Did(func() { delete(set, id); p.cancel() }, nil)
	return id
}

// drop cancels what is pending, unless the file that is being loaded fails.
func (lib *Library) drop(set map[int]*awaited, id int) {
	if p := set[id]; p != nil {
		delete(set, id) // so it does nothing, even if it is due
		lib.vm.Did(func() { set[id] = p }, func() { p.cancel() })
	}
}

// A task is work outside the VM's goroutine, with a function that makes its result there.
type task func(context.Context) (result func() (lua.LValue, error), err error)

// start runs work outside the session, and later calls callback with its outcome, converted by
// result. It returns the handle, a table with the method cancel. Once cancelled, callback is not
// called.
func (lib *Library) start(l *lua.LState, what string, timeout time.Duration, callback *lua.LFunction, work task) *lua.LTable {
	if len(lib.jobs) >= maxJobs {
		l.RaiseError("%s: %d requests and processes are under way already: wait for some", what, maxJobs)
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	id := lib.await(lib.jobs, &awaited{fn: callback, cancel: cancel})
	lib.opts.Background(func(outer context.Context) func() {
		defer cancel()
		defer context.AfterFunc(outer, cancel)()
		result, err := work(ctx)
		if err != nil && ctx.Err() == context.DeadlineExceeded {
			err = fmt.Errorf("no answer within %s", timeout)
		}
		return func() {
			if lib.jobs[id] == nil {
				return // cancelled
			}
			delete(lib.jobs, id)
			var v lua.LValue
			if err == nil {
				v, err = result()
			}
			lib.report(what, callback, v, err)
		}
	})
	return lib.handle(func() { lib.drop(lib.jobs, id) })
}

func (lib *Library) handle(cancel func()) *lua.LTable {
	tb := lib.state.NewTable()
	tb.RawSetString("cancel", lib.state.NewFunction(func(*lua.LState) int {
		cancel()
		return 0
	}))
	return tb
}

// report calls a callback with a result, or with nil and an error. Without a callback, an error is
// a problem of the session.
func (lib *Library) report(what string, callback *lua.LFunction, result lua.LValue, err error) {
	switch {
	case callback == nil && err != nil:
		lib.vm.Fail("callback", fault.New(fault.Script, "%s: %s", what, engine.Message(err)))
	case callback == nil:
	case err != nil:
		_ = lib.vm.Callback("callback", callback, lua.LNil, lua.LString(engine.Message(err))) // it has been reported
	default:
		_ = lib.vm.Callback("callback", callback, result, lua.LNil)
	}
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
func (lib *Library) sessionHTTP(l *lua.LState) int {
	if lib.opts.HTTP == nil {
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
		Limit:  engine.MaxAnswer,
	}
	u, err := url.Parse(req.URL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		l.RaiseError("session:http: %q is no URL with http:// or https://", req.URL)
	}
	for k, v := range texts(l, "headers", tb.RawGetString("headers")) {
		req.Header[strings.ToLower(k)] = v
	}
	if v := tb.RawGetString("json"); v != lua.LNil {
		body, err := lib.vm.Encode(v)
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
	do := lib.opts.HTTP
	l.Push(lib.start(l, "session:http", timeout(l, tb, defaultHTTPTimeout), callback,
		func(ctx context.Context) (func() (lua.LValue, error), error) {
			resp, err := do(ctx, req)
			return func() (lua.LValue, error) { return lib.response(resp), nil }, err
		}))
	return 1
}

// response returns the argument of session:http's callback.
func (lib *Library) response(r Response) lua.LValue {
	l := lib.state
	headers := map[string]any{}
	for k, v := range r.Header {
		headers[strings.ToLower(k)] = v
	}
	body := string(r.Body)
	return lib.value(map[string]any{
		"status": r.Status, "ok": r.Status >= 200 && r.Status < 300, "headers": headers, "body": body,
		"json": l.NewFunction(func(l *lua.LState) int {
			v, err := lib.vm.Decode(l, body)
			if err != nil {
				return engine.Returns(l, lua.LNil, lua.LString(err.Error()))
			}
			return engine.Returns(l, v)
		}),
	})
}

// sessionExec implements session:exec(argv, [options,] callback).
func (lib *Library) sessionExec(l *lua.LState) int {
	if lib.opts.Exec == nil {
		l.RaiseError("session:exec is switched off, by --no-exec or by \"exec\": false in config.json")
	}
	list := l.CheckTable(2)
	opts := l.NewTable()
	at := 3
	if tb, ok := l.Get(3).(*lua.LTable); ok {
		opts, at = tb, 4
	}
	callback := l.OptFunction(at, nil)
	cmd := engine.Command{Dir: text(l, opts, "cwd"), Input: []byte(text(l, opts, "input")), Limit: engine.MaxAnswer}
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
	do := lib.opts.Exec
	l.Push(lib.start(l, "session:exec", timeout(l, opts, defaultExecTimeout), callback,
		func(ctx context.Context) (func() (lua.LValue, error), error) {
			res, err := do(ctx, cmd)
			return func() (lua.LValue, error) {
				return lib.value(map[string]any{"code": res.Code, "stdout": string(res.Stdout), "stderr": string(res.Stderr)}), nil
			}, err
		}))
	return 1
}
