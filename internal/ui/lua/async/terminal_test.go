package async_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/lua/async"
)

// A room is terminals in memory, of which there is one, t. Each operation takes a second.
type room struct {
	mu    sync.Mutex // guards the fields below
	list  []async.Terminal
	done  []string // operations, with what was typed
	of    []string // of what session each was asked
	in    []string // the inputs, with the operations before them
	slow  time.Duration
	wakes []chan struct{}
}

// List implements [async.Terminals].
func (r *room) List() []async.Terminal {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]async.Terminal{}, r.list...)
}

// set replaces the list.
func (r *room) set(list ...async.Terminal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = list
	for _, w := range r.wakes {
		select {
		case w <- struct{}{}:
		default:
		}
	}
}

// Operations implements [async.Terminals].
func (r *room) Operations() []string {
	return []string{"screen.get", "screen_mode.enter_alt", "wait.state"}
}

// Check implements [async.Terminals]: what is typed must be there.
func (r *room) Check(operation string, in []byte) (waits bool, err error) {
	if operation == "input.send" && !strings.Contains(string(in), `"data"`) {
		return false, fault.New(fault.Invalid, "data is missing")
	}
	return operation == "wait.state" || operation == "command.run", nil
}

// Do implements [async.Terminals]. The longer the line, the later a command begins.
func (r *room) Do(ctx context.Context, script, operation string, in []byte, begun func()) ([]byte, error) {
	var typed struct {
		Session, Line, Name string
		Data                []byte
		AtPrompt            bool `json:"at_prompt"`
	}
	if err := json.Unmarshal(in, &typed); err != nil {
		return nil, err
	}
	if begun != nil {
		timer := time.AfterFunc(r.slow*time.Duration(len(typed.Line))/4, func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.done = append(r.done, "begun "+typed.Line)
			begun()
		})
		defer timer.Stop()
	}
	select {
	case <-time.After(r.slow):
	case <-ctx.Done():
		return nil, fault.Wrap(fault.Timeout, ctx.Err(), "%s", operation)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.of = append(r.of, typed.Session)
	r.in = append(r.in, operation+" "+string(in))
	done := strings.TrimSpace(operation + " " + string(typed.Data) + typed.Line)
	if typed.AtPrompt {
		done += " at a prompt"
	}
	r.done = append(r.done, done)
	switch operation {
	case "session.create":
		if typed.Name == "taken" {
			return nil, fault.New(fault.Exists, "it is taken")
		}
		return fmt.Appendf(nil, `{"name":%q,"id":"@7"}`, typed.Name), nil
	case "wait.state":
		return []byte(`{"state":"prompt","generation":4}`), nil
	case "session.typed":
		return []byte(`[{"text":"x"}]`), nil
	case "overlay.create":
		return []byte(`{"id":"o1"}`), nil
	case "command.run":
		return []byte(`{"state":"done","exit_code":0,"output":"out"}`), nil
	}
	return []byte(`{}`), nil
}

// Watch implements [async.Terminals]. Only the list changes.
func (r *room) Watch(ctx context.Context, id string) (func() ([]async.TerminalEvent, error), error) {
	w := make(chan struct{}, 1)
	if id == "" {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.wakes = append(r.wakes, w)
	}
	return func() ([]async.TerminalEvent, error) {
		select {
		case <-w:
			return nil, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}, nil
}

func withRoom(r *room) func(*async.Options) {
	return func(o *async.Options) { o.Terminals = func() async.Terminals { return r } }
}

// Without terminals, the table says why.
func TestTerminalsMissing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, func(o *async.Options) { o.NoTerminals = "there are none" })
		h.gives("without terminals", `return { terminal.available, terminal.problem }`, `[false,"there are none"]`)
		for _, call := range []string{"terminal.list()", "terminal:get('x')", "terminal.create({})"} {
			h.refuses(map[string]string{call: "there are none"})
		}
	})
}

// What is called on a terminal is done in order, without holding up the session. Commands take
// their turn. What is typed later waits until the command has begun, unless that waits for another.
func TestTerminalOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &room{slow: time.Second}
		h := newHarness(t, withRoom(r))
		h.run(`
			out = {}
			a = terminal.create({ name = "a" })
			a:send("1"):send("2")
			a:run("x", function(r) table.insert(out, "x " .. r.output) end)
			a:run("yy", function(r) table.insert(out, "yy " .. r.output) end)
			a:send("3", nil, function(ok) table.insert(out, "sent") end)`)
		h.pass(time.Minute)
		r.mu.Lock()
		got := strings.Join(r.done, ", ")
		r.mu.Unlock()
		if got != "session.create, input.send 1, input.send 2, begun x, command.run x, input.send 3, begun yy, command.run yy at a prompt" {
			t.Errorf("done: %s", got)
		}
		h.gives("callbacks", `return out`, `["x out","sent","yy out"]`)
		h.wantFailed()
	})
}

// What is called on a terminal that is being created has its time from when that is there: a person
// may have to allow each creation, one after another.
func TestTerminalCreatedLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, withRoom(&room{slow: 50 * time.Second}))
		h.run(`
			for i = 1, 3 do last = terminal.create({ name = "t" .. i }) end
			last:send("x", nil, function(ok, err) result = { ok, err } end)
			last:overlay({}, function(o, err) drawn = err == nil and o.id == "o1" end)`)
		h.pass(10 * time.Minute)
		h.gives("outcome", `return { result, drawn }`, `[[true],true]`)
		h.wantFailed()
	})
}

// A command that has to wait for another one is for the shell. One that is called when the one
// before has its result may be its input.
func TestTerminalRunAtPrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &room{slow: time.Second, list: []async.Terminal{{Name: "a", ID: "@1"}}}
		h := newHarness(t, withRoom(r))
		h.run(`
			a = terminal.get("a")
			a:run("ask", function() a:run("answer") end)`)
		h.pass(time.Minute)
		h.run(`
			a:run("ask", function() a:run("later") end)
			a:run("next")`)
		h.pass(time.Minute)
		r.mu.Lock()
		got := slices.DeleteFunc(slices.Clone(r.done), func(done string) bool { return !strings.HasPrefix(done, "command.run") })
		r.mu.Unlock()
		want := []string{"command.run ask", "command.run answer", "command.run ask", "command.run next at a prompt", "command.run later at a prompt"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

// Each command reports when it has ended, also while more wait for their turn, and their number is
// bounded.
func TestTerminalRunsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &room{slow: time.Second, list: []async.Terminal{{Name: "a", ID: "@1"}}}
		h := newHarness(t, withRoom(r))
		h.run(`
			a, out = terminal.get("a"), {}
			for _, line in ipairs({ "x", "y", "z" }) do a:run(line, function() table.insert(out, line) end) end`)
		h.pass(2500 * time.Millisecond)
		h.gives("after two of three seconds", `return out`, `["x","y"]`)
		h.pass(time.Minute)
		r.slow = time.Hour
		for range 3 {
			if err := h.try(`for i = 1, 900 do a:run("x") end`); err != nil {
				if !strings.Contains(err.Error(), "wait for this terminal already") {
					t.Error(err)
				}
				return
			}
			h.pass(time.Minute)
		}
		t.Error("2,700 commands wait")
	})
}

// Each method is an operation with this input, whether or not what may be left out is given.
func TestTerminalMethods(t *testing.T) {
	for _, tt := range []struct{ call, want, result string }{
		{`a:send("x\0")`, `input.send {"data":"eAA=","session":"@1"}`, `true`},
		{`a:send("x", { secret = true })`, `input.send {"data":"eA==","secret":true,"session":"@1"}`, `true`},
		{`a:send("x", nil, f)`, `input.send {"data":"eA==","session":"@1"}`, `true`},
		{`a:keys("C-c  Enter")`, `input.keys {"keys":["C-c","Enter"],"session":"@1"}`, `true`},
		{`a:keys({ "a", "b" }, { secret = false })`, `input.keys {"keys":["a","b"],"secret":false,"session":"@1"}`, `true`},
		{`a:paste("x")`, `input.paste {"session":"@1","text":"x"}`, `true`},
		{`a:submit("x", { secret = true })`, `input.paste {"keys":["Enter"],"secret":true,"session":"@1","text":"x"}`, `true`},
		{`a:submit("")`, `input.paste {"keys":["Enter"],"session":"@1","text":""}`, `true`},
		{`a:send(5)`, `input.send {"data":"NQ==","session":"@1"}`, `true`},
		{`a:keys(1)`, `input.keys {"keys":["1"],"session":"@1"}`, `true`},
		{`a:submit(2.5)`, `input.paste {"keys":["Enter"],"session":"@1","text":"2.5"}`, `true`},
		{`a:rename(7)`, `session.update {"name":"7","session":"@1"}`, `true`},
		{`a:signal("INT")`, `session.signal {"session":"@1","signal":"INT"}`, `true`},
		{`a:resize(30, 90)`, `session.resize {"cols":90,"rows":30,"session":"@1"}`, `true`},
		{`a:rename("b")`, `session.update {"name":"b","session":"@1"}`, `true`},
		{`a:tag({ "x" })`, `session.update {"add_tags":["x"],"session":"@1"}`, `true`},
		{`a:untag({ "x" })`, `session.update {"remove_tags":["x"],"session":"@1"}`, `true`},
		{`a:kill()`, `session.remove {"session":"@1"}`, `true`},
		{`a:takeKeyboard()`, `keyboard.take {"session":"@1"}`, `true`},
		{`a:takeKeyboard("Ada", f)`, `keyboard.take {"by":"Ada","session":"@1"}`, `true`},
		{`a:giveKeyboard()`, `keyboard.give {"session":"@1"}`, `true`},
		{`a:typed(f)`, `session.typed {"session":"@1"}`, `[{"text":"x"}]`},
		{`a:typed(nil, f)`, `session.typed {"session":"@1"}`, `[{"text":"x"}]`},
		{`a:typed(3, f)`, `session.typed {"last":3,"session":"@1"}`, `[{"text":"x"}]`},
		{`a:wait(f)`, `wait.state {"max_wait_ms":300000,"session":"@1"}`, `"prompt"`},
		{`a:wait("line", f)`, `wait.state {"max_wait_ms":300000,"session":"@1","states":["line"]}`, `"prompt"`},
		{`a:wait({ "line", "secret" }, f)`, `wait.state {"max_wait_ms":300000,"session":"@1","states":["line","secret"]}`, `"prompt"`},
		{`a:run("x", f)`, `command.run {"format":"plain","line":"x","max_wait_ms":300000,"session":"@1"}`,
			`{"complete":false,"duration":0,"output":"out","state":"done","status":0}`},
		{`a:run("x", { timeout = 5, maxOutput = 7 })`, `command.run {"format":"plain","line":"x","max_output":7,"max_wait_ms":5,"session":"@1"}`,
			`{"complete":false,"duration":0,"output":"out","state":"done","status":0}`},
		{`a:run(6, { timeout = 100 / 3, maxOutput = 7.5 }, f)`, `command.run {"format":"plain","line":"6","max_output":8,"max_wait_ms":34,"session":"@1"}`,
			`{"complete":false,"duration":0,"output":"out","state":"done","status":0}`},
		{`a:run("x", { timeout = math.huge }, f)`, `command.run {"format":"plain","line":"x","max_wait_ms":9007199254740992,"session":"@1"}`,
			`{"complete":false,"duration":0,"output":"out","state":"done","status":0}`},
		{`a:screenGet({ format = "plain" }, f)`, `screen.get {"format":"plain","session":"@1"}`, `true`},
		{`a:screenModeEnterAlt(f)`, `screen_mode.enter_alt {"session":"@1"}`, `true`},
		{`a:waitState({ states = { "line" } }, f)`, `wait.state {"max_wait_ms":300000,"session":"@1","states":["line"]}`, `{"generation":4,"state":"prompt"}`},
		{`a:call("focus.clear")`, `focus.clear {"session":"@1"}`, `true`},
		{`a:call("focus.set", { id = "o1" }, f)`, `focus.set {"id":"o1","session":"@1"}`, `true`},
		{`a:call("focus.clear", f)`, `focus.clear {"session":"@1"}`, `true`},
		{`a:call("wait.state", { max_wait_ms = 7, states = {} }, f)`, `wait.state {"max_wait_ms":7,"session":"@1","states":[]}`, `{"generation":4,"state":"prompt"}`},
		{`a:overlay({ x = 2, spans = { { text = "hi" } } }):update({ x = 4 }):replace({}):write({ { text = "w" } }):remove(f)`,
			`overlay.create {"session":"@1","spans":[{"text":"hi"}],"x":2}, overlay.update {"id":"o1","session":"@1","x":4}, ` +
				`overlay.replace {"id":"o1","session":"@1"}, overlay.write {"id":"o1","session":"@1","writes":[{"text":"w"}]}, ` +
				`overlay.remove {"id":"o1","session":"@1"}`, `true`},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := &room{list: []async.Terminal{{Name: "a", ID: "@1"}}}
			h := newHarness(t, withRoom(r))
			h.run(`a = terminal.get("a") f = function(v, err) result = { v, err } end ` + strings.Replace(tt.call, "a:", "returned = a:", 1))
			h.pass(time.Second)
			if got := strings.Join(r.in, ", "); got != tt.want {
				t.Errorf("%s\n got %s\nwant %s", tt.call, got, tt.want)
			}
			if strings.Contains(tt.call, "f)") {
				h.gives(tt.call+" calls back with", `return result[1]`, tt.result)
			}
			h.gives(tt.call+" returns the terminal or a handle", `return returned == a or returned.cancel ~= nil or returned.id ~= nil`, "true")
			h.wantFailed()
		})
	}
	h := newHarness(t, withRoom(&room{list: []async.Terminal{{Name: "a", ID: "@1"}}}))
	h.run(`a = terminal.get("a")`)
	h.refuses(map[string]string{
		`a:send()`:                       "test:1: send: data is missing",
		`a:send("x", 5)`:                 "bad argument #3 to send (table expected, got number)",
		`a:send("x", nil, 5)`:            "bad argument #4 to send (function expected, got number)",
		`a:send("x", { 5 })`:             "send has no option 1",
		`a:typed(3)`:                     "function expected",
		`a:wait("line")`:                 "function expected",
		`a:run("x", { timeout = "5" })`:  "timeout must be a number, not a string",
		`a:run("x", { timeout = 0 })`:    "timeout must be at least 1",
		`a:run("x", { timeout = 0/0 })`:  "timeout must be at least 1",
		`a:run("x", { maxOutput = -1 })`: "maxOutput must be at least 0",
		`a:call("x", { 1, 2 })`:          "the input must be a table with names",
		`a:call("x", { n = 0/0 })`:       "no JSON number",
		`a:overlay(5)`:                   "table expected",
	})
}

// A terminal that does not answer holds up a script that looks at it for a second at most.
func TestTerminalThatIsBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &room{slow: time.Hour, list: []async.Terminal{{Name: "a", ID: "@1"}}}
		h := newHarness(t, withRoom(r))
		h.run(`a = terminal.get("a")`)
		for _, look := range []string{"a:screen()", "a:lines(0)"} {
			before := time.Now()
			if err := h.try(look); err == nil || time.Since(before) > time.Second {
				t.Errorf("%s returns %v after %v", look, err, time.Since(before))
			}
		}
	})
}

// A terminal that a script keeps creating, and that cannot be created, is tried once a second.
func TestTerminalFailsAgainAndAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &room{}
		h := newHarness(t, withRoom(r))
		h.run(`
			count = 0
			local function again()
				count = count + 1
				terminal.create({ name = "taken" }, again)
			end
			again()`)
		h.pass(100 * time.Millisecond)
		r.mu.Lock()
		got := strings.Join(r.done, ", ")
		r.mu.Unlock()
		if got != "session.create" {
			t.Errorf("at first: %s", got)
		}
		h.pass(10 * time.Second)
		h.gives("attempts in ten seconds", `return count`, "12")
	})
}

// A terminal that takes nothing bounds what waits for it.
func TestTerminalQueueIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &room{slow: 10 * time.Second, list: []async.Terminal{{Name: "a", ID: "@1"}}}
		h := newHarness(t, withRoom(r))
		err := h.try(`a = terminal.get("a"); for i = 1, 2000 do a:send("x") end`)
		if err == nil || !strings.Contains(err.Error(), "wait for this terminal already") {
			t.Errorf("too many calls: %v", err)
		}
		err = h.try(`for i = 1, 100 do a:paste(("x"):rep(100000)) end`)
		if err == nil || !strings.Contains(err.Error(), "wait") {
			t.Errorf("too much text: %v", err)
		}
	})
}

// An object stays that of its terminal, whatever names it and others get, even before anybody has
// looked.
func TestTerminalRenamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &room{list: []async.Terminal{{Name: "a", ID: "@1", State: "line"}}}
		h := newHarness(t, withRoom(r))
		h.run(`a = terminal.get("a"); made = terminal.create({ name = "c" })`)
		r.set(async.Terminal{Name: "a", ID: "@1", State: "line"}, async.Terminal{Name: "c", ID: "@7", State: "line"})
		h.pass(time.Second)
		r.set(async.Terminal{Name: "b", ID: "@1", State: "line"}, async.Terminal{Name: "a", ID: "@2", State: "line"}, async.Terminal{Name: "d", ID: "@7", State: "line"})
		h.run(`a:send("password", { secret = true }); a:keys({ "Enter" }); made:send("x")`)
		h.pass(time.Second)
		r.mu.Lock()
		got := strings.Join(slices.Sorted(slices.Values(r.of)), " ")
		r.mu.Unlock()
		if got != " @1 @1 @7" {
			t.Errorf("it was typed into %q", got)
		}
		h.gives("the terminals", `return { a.name, made.name, terminal.get("b") == a, terminal.get("a") == a, terminal.get("d") == made }`, `["b","d",true,false,true]`)
	})
}

// No field of a terminal has the name of a method: an object without the field would have the
// method in its place, and one with it no method.
func TestTerminalFieldsAreNoMethods(t *testing.T) {
	status := 0
	r := &room{list: []async.Terminal{{
		ID: "@1", Name: "a", Command: "c", State: "line", Title: "t", Rows: 1, Cols: 1, Tags: []string{"x"}, Keyboard: "k", Leader: "l",
		Last: &async.TerminalCommand{Number: 1, Line: "c", Ended: true, Status: &status}, Exit: &async.TerminalExit{Status: 1, Signal: "SIGHUP"},
	}}}
	h := newHarness(t, withRoom(r))
	got := h.run(`
		local count, both = 0, {}
		for name in pairs(terminal.get("a")) do
			count = count + 1
			if getmetatable(terminal.get("a"))[name] then table.insert(both, name) end
		end
		return { count > 12, both }`)
	if got != `[true,[]]` {
		t.Errorf("got %s", got)
	}
}

// A lateRoom is a room with a terminal whose events come later than its list.
type lateRoom struct {
	room
	events chan []async.TerminalEvent
}

// Watch implements [async.Terminals].
func (r *lateRoom) Watch(ctx context.Context, id string) (func() ([]async.TerminalEvent, error), error) {
	if id == "" {
		return r.room.Watch(ctx, id)
	}
	return func() ([]async.TerminalEvent, error) {
		select {
		case e := <-r.events:
			return e, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}, nil
}

// A question of a program reaches handlers once, whether the list or the event has it first:
// they may answer with a password.
func TestTerminalAsksOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := async.Terminal{Name: "a", ID: "@1", State: "running", Reports: 1}
		r := &lateRoom{room: room{list: []async.Terminal{a}}, events: make(chan []async.TerminalEvent)}
		h := newHarness(t, func(o *async.Options) { o.Terminals = func() async.Terminals { return r } })
		h.run(`log = {} a = terminal.get("a") a:on("waits", function(v) table.insert(log, v) end)`)
		h.pass(time.Second)
		a.State, a.Reports = "secret", 4
		r.set(a)
		h.pass(time.Second)
		r.events <- []async.TerminalEvent{{State: "line", Reports: 2}, {State: "running", Reports: 3}}
		h.pass(time.Second)
		r.events <- []async.TerminalEvent{{State: "secret", Reports: 4}, {State: "running", Reports: 5}, {State: "secret", Reports: 6}}
		h.pass(time.Second)
		h.gives("what handlers got", `return { log, a.state }`, `[["secret","secret"],"secret"]`)
	})
}

// Handlers learn what has changed once, even if the list is read meanwhile, and see the newest
// state.
func TestTerminalEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := async.Terminal{Name: "a", ID: "@1", State: "running", Title: "old"}
		r := &room{list: []async.Terminal{a}}
		h := newHarness(t, withRoom(r))
		h.run(`
			log = {}
			a = terminal.get("a")
			for _, event in ipairs({ "waits", "title", "exit" }) do
				a:on(event, function(v, t)
					terminal.list()
					table.insert(log, event .. " " .. (type(v) == "table" and tostring(v.status) or v) .. " " .. t.state .. " " .. t.title)
				end)
			end
			off = a:on("waits", function() table.insert(log, "cancelled") end)
			off.cancel()`)
		a.State, a.Title, a.Reports = "line", "new", 1
		r.set(a)
		h.pass(time.Second)
		a.State, a.Exit, a.Keyboard, a.Leader = "ended", &async.TerminalExit{Status: 2}, "k", "l"
		r.set(a)
		h.pass(time.Second)
		r.set()
		h.pass(time.Second)
		want := `["title new line new","waits line line new","exit 2 ended new"]`
		if diff := cmp.Diff(want, h.run(`return log`)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		h.gives("at the end", `return { a.state, #terminal.list(), a.keyboard or "", a.leader or "" }`, `["removed",0,"",""]`)
	})
}
