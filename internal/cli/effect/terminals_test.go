//go:build unix

package effect_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ui-mcp/internal/cli/effect"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/shell"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/ui"
	"ui-mcp/internal/ui/lua/async"
)

// A desktop is a live app's session whose scripts use real terminals.
type desktop struct {
	t        *testing.T
	dir      string
	engine   *ui.Engine
	session  *ui.Session
	local    *terminals.Local
	over     terminals.Terminals // what scripts use
	sessions *registry.Registry
}

func newDesktop(t *testing.T) *desktop {
	t.Helper()
	scripts, err := shell.Install(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	d := &desktop{t: t, dir: t.TempDir()}
	d.sessions = registry.New(registry.Config{
		Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "PS1=$ "}, Home: t.TempDir(), Shell: "/bin/bash", Scripts: scripts, Log: log,
	})
	views := filepath.Join(d.dir, "viewdefs")
	if err := errors.Join(os.Mkdir(views, 0o755), os.WriteFile(filepath.Join(views, "MCP.DEFAULT.html"), []byte("<template><p></p></template>"), 0o600)); err != nil {
		t.Fatal(err)
	}
	d.local = terminals.NewLocal(d.sessions, terminals.Host{Name: "here"})
	d.over = d.local
	d.start(log)
	t.Cleanup(func() {
		d.engine.Close()
		if err := d.sessions.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func (d *desktop) start(log *slog.Logger) {
	d.t.Helper()
	var err error
	d.engine = ui.NewEngine(ui.Options{
		Dir: d.dir, LuaTimeout: time.Minute, Log: log, Effects: async.Effects{Terminals: func() async.Terminals { return effect.Terminals(d.over, 4, nil) }, Project: d.dir},
		Setup:    func(b *ui.Bridge) error { b.Define("mcp", map[string]any{"type": "MCP"}); return nil },
		Announce: func(ui.Announcement) {},
	})
	if d.session, err = d.engine.Open(d.t.Context(), "1"); err != nil {
		d.t.Fatal(err)
	}
}

// run runs Lua as the agent does.
func (d *desktop) run(code string) string {
	d.t.Helper()
	got, err := d.try(code)
	if err != nil {
		d.t.Fatal(err)
	}
	return got
}

func (d *desktop) try(code string) (got string, err error) {
	err = d.session.Do(d.t.Context(), func(tx *ui.Tx) error {
		raw, err := tx.Run(code)
		got = string(raw)
		return err
	})
	return got, err
}

// await waits until an expression is true.
func (d *desktop) await(expression string) {
	d.t.Helper()
	wait.Until(d.t, expression, func() bool { return d.run("return ("+expression+") and true or false") == "true" })
}

// problems returns what has failed without a caller.
func (d *desktop) problems() string {
	d.t.Helper()
	list, err := d.session.Problems(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	var texts []string
	for _, p := range list {
		texts = append(texts, p.String())
	}
	return strings.Join(texts, "\n")
}

// A script starts a shell, runs commands in it and learns what happens.
func TestScriptUsesAShell(t *testing.T) {
	t.Parallel()
	d := newDesktop(t)
	d.run(`
		seen = {}
		dev = terminal.create({ name = "dev", tags = { "mine" }, env = { GREETING = "hello there" } }, function(t, err) made = t == dev and err == nil end)
		if dev.state ~= "starting" or dev.name ~= "dev" or not dev.running then error("state " .. dev.state) end
		dev:on("command", function(c, t) table.insert(seen, c.line .. "=" .. tostring(c.status)); same = t == dev end)
		dev:run("echo $GREETING; pwd", function(r, err) first = r or err end)
		dev:run("false", function(r, err) second = r or err end)
		dev:on("exit", function(e) gone = e end)`)
	d.await("made and second and #seen == 2")
	want := "hello there\n" + d.dir + "\n"
	if got := d.run(`return { first.output, first.status, first.state, second.status, same }`); got != quoted(t, want, 0, "done", 1, true) {
		t.Errorf("the results are %s", got)
	}
	if got := d.run(`return seen`); got != `["echo $GREETING; pwd=0","false=1"]` {
		t.Errorf("the commands are %s", got)
	}
	d.await(`dev.state == "prompt" and dev.lastCommand.line == "false" and dev.lastCommand.status == 1 and dev.lastCommand.duration`)
	if got := d.run(`return { terminal.list()[1] == dev, terminal.list("mine")[1] == dev, #terminal.list("other"), terminal.get("dev") == dev, terminal.get("x") == nil, dev.tags[1], dev.rows, dev.type }`); got != `[true,true,0,true,true,"mine",24,"lua.Terminal"]` {
		t.Errorf("the lists are %s", got)
	}
	if got := d.run(`return dev:screen():find("hello there", 1, true) ~= nil and #dev:lines(0) > 2`); got != "true" {
		t.Errorf("the screen is %s", d.run(`return dev:screen()`))
	}
	// The ledger says who it was.
	list, err := terminals.GetTyped.Do(t.Context(), d.local, terminals.Everything, terminals.TypedQuery{Target: terminals.Target{Session: "dev"}})
	if err != nil || len(list) != 2 || list[0].From.Kind != "app" || list[0].From.Name != "ui_run" || list[0].Text != "echo $GREETING; pwd" {
		t.Errorf("typed: %+v, %v", list, err)
	}
	d.run(`dev:send("exit 3\n")`)
	d.await(`gone and gone.status == 3 and dev.state == "ended" and not dev.running and dev.status == 3`)
	d.run(`dev:kill()`)
	d.await(`dev.state == "removed" and #terminal.list() == 0`)
	if _, err := d.try(`dev:send("x")`); err == nil || !strings.Contains(err.Error(), "this terminal was removed") {
		t.Errorf("typing into a removed terminal: %v", err)
	}
	if got := d.problems(); got != "" {
		t.Errorf("problems: %s", got)
	}
}

// quoted returns values as a JSON array.
func quoted(t *testing.T, values ...any) string {
	t.Helper()
	data, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A script learns that a program waits, and what it writes.
func TestScriptAnswersAProgram(t *testing.T) {
	t.Parallel()
	d := newDesktop(t)
	d.run(`
		lines = {}
		ask = terminal.create({ name = "ask", command = "printf 'one\\ntwo\\nName: '; read n; echo hello $n; printf 'Password: '; stty -echo; read p; stty echo; echo; printf '\\033]2;%s\\a' done; printf '\\a'; cat" })
		ask:on("output", function(o) for _, l in ipairs(o.lines) do table.insert(lines, l) end end)
		ask:on("waits", function(what, t)
			asked = (asked or "") .. what .. " "
			if what == "line" and not answered then answered = true; t:submit("Ada") end
			if what == "secret" then t:send("hunter2\n", { secret = true }) end
		end)
		ask:on("title", function(title) named = title end)
		ask:on("bell", function() rung = true end)
		ask:on("idle", function() idle = (idle or 0) + 1 end, 200)`)
	d.await(`named == "done" and rung and idle`)
	d.await(`table.concat(lines, "|"):find("hello Ada", 1, true)`)
	if got := d.run(`return { table.concat(lines, "|"), asked:find("line secret", 1, true) == 1, ask.title }`); got != `["one|two|Name: Ada|hello Ada",true,"done"]` && got != `["one|two|Name: Ada|hello Ada|Password: ",true,"done"]` && got != `["one|two|Name: Ada|hello Ada|Password:",true,"done"]` {
		t.Errorf("got %s", got)
	}
	list, err := terminals.GetTyped.Do(t.Context(), d.local, terminals.Everything, terminals.TypedQuery{Target: terminals.Target{Session: "ask"}})
	if err != nil || strings.Contains(quoted(t, list), "hunter2") {
		t.Errorf("the ledger has the secret: %+v, %v", list, err)
	}
	if got := d.problems(); got != "" {
		t.Errorf("problems: %s", got)
	}
}

// A paste reaches a program in one piece, and a script reads lines of the history by their numbers
// and from its end.
func TestScriptPastesAndReads(t *testing.T) {
	t.Parallel()
	d := newDesktop(t)
	d.run(`
		a = terminal.create({ name = "a", command = "stty -echo; printf '\\033[?2004h\\033]2;ready\\007'; exec cat -v", rows = 10 })
		a:on("output", function() last, first, next = a:lines(-2) end)
		a:on("title", function() a:paste("one\ntwo"):send("\n"):send("three\n") end)`)
	d.await(`last and last[#last] == "three"`)
	if got := d.run(`return { last, first, next }`); got != `[["two^[[201~","three"],1,3]` {
		t.Errorf("the last lines are %s", got)
	}
	d.run(`a:send("\n"):send("\n"):send("four\n")`)
	d.await(`a:screen():find("four", 1, true)`)
	if got := d.run(`return { a:lines(0, 2), a:lines(2), a:lines(-2), a:lines(3, 1), (a:lines(100)) }`); got != `[["^[[200~one","two^[[201~"],["three","","","four"],["","four"],[""],[]]` {
		t.Errorf("the lines are %s", got)
	}
	if got := d.problems(); got != "" {
		t.Errorf("problems: %s", got)
	}
}

// opened counts the watchers that are open.
type opened struct {
	*terminals.Local
	n atomic.Int64
}

type openedStream struct {
	terminals.Stream
	o *opened
}

func (o *opened) Open(ctx context.Context, by terminals.Grant, op *terminals.Operation, in any) (terminals.Stream, error) {
	s, err := o.Local.Open(ctx, by, op, in)
	o.n.Add(1)
	return openedStream{s, o}, err
}

func (s openedStream) Close() { s.Stream.Close(); s.o.n.Add(-1) }

// What watches a terminal, or the list, is closed when its context ends, even if nobody waits for
// events then.
func TestWatchersAreClosed(t *testing.T) {
	t.Parallel()
	d := newDesktop(t)
	d.run(`a = terminal.create({ name = "a", command = "cat" }, function(t) made = t end)`)
	d.await(`made`)
	o := &opened{Local: d.local}
	scripts := effect.Terminals(o, 0, nil)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, id := range []string{"", scripts.List()[0].ID} {
		if _, err := scripts.Watch(ctx, id); err != nil {
			t.Fatal(err)
		}
	}
	if n := o.n.Load(); n != 2 {
		t.Fatalf("%d watchers are open", n)
	}
	cancel()
	wait.Until(t, "all are closed", func() bool { return o.n.Load() == 0 })
}

// What goes wrong is reported to the callback, or as a problem of the session.
func TestScriptErrors(t *testing.T) {
	t.Parallel()
	d := newDesktop(t)
	d.run(`
		a = terminal.create({ name = "a", command = "cat" })
		b = terminal.create({ name = "a", command = "cat" }, function(t, err) taken = err end)
		c = terminal.create({ name = "no name" })
		a:keys("No-Such-Key", function(ok, err) keys = err end)
		a:call("server.stop", {}, function(ok, err) stop = err end)
		a:resize(30, 90, function(ok, err) resized = ok end)`)
	d.await(`taken and keys and stop and resized and b.state == "failed" and c.state == "failed" and a.rows == 30`)
	for _, tt := range [][2]string{
		{`taken`, `"a"`}, {`keys`, "No-Such-Key"}, {`stop`, "right to administer"}, {`c.error`, "name"},
	} {
		if got := d.run("return " + tt[0]); !strings.Contains(got, strings.ReplaceAll(tt[1], `"`, `\"`)) {
			t.Errorf("%s = %s, want %s", tt[0], got, tt[1])
		}
	}
	if got := d.problems(); !strings.Contains(got, "terminal.create") || !strings.Contains(got, "no name") {
		t.Errorf("problems: %s", got)
	}
	for _, tt := range [][2]string{
		{`terminal.create({ comand = "x" })`, "did you mean `command`?"},
		{`terminal.create({ command = { "ls", "-l" } })`, "command must be a string, not a list"},
		{`terminal.create({ command = print })`, "command cannot be a function"},
		{`terminal.create({ env = { "A=b" } })`, "env must have names"},
		{"\n\na:call('no.such', {}, print)", "ui_run:3: call no.such: there is no operation"},
		{`a:call("session.watch")`, "register handlers with on"},
		{`a:call("input.keys", {})`, "keys is missing"},
		{`a:inputKeys()`, "ui_run:1: inputKeys: keys is missing"},
		{`a:call("session.rename", { add_tags = { "x" } })`, "name is missing"}, // an alias
		{`a:call("overlay.update", { x = 1 })`, "ui_run:1: call overlay.update: id is missing"},
		{`a:overlay({}):write("x")`, "overlay write: writes must be a list, not a string"},
		{`a:keys({ 5 })`, "keys: each value of keys must be a string, not a number"},
		{`a:tag("x")`, "tag: add_tags must be a list, not a string"},
		{`a:resize(5)`, "resize: cols is missing"},
		{`a:resize(5, "x")`, "cols must be a whole number, not a string"},
		{`a:resize(5.5, 6)`, "rows must be a whole number"},
		{`a:run({})`, "line must be a string"},
		{`a:run("x", { maxoutput = 4 })`, "run has no option maxoutput; did you mean `maxOutput`?"},
		{`a:on("outpt", print)`, `there is no event`},
		{`a.send("x")`, "with a colon"},
		{`b:send("x")`, "could not be created"},
		{`a:screan()`, "screan"},
	} {
		if _, err := d.try(tt[0]); err == nil || !strings.Contains(err.Error(), tt[1]) {
			t.Errorf("%s: %v, want %s", tt[0], err, tt[1])
		}
	}
	// An app may not use up what others need.
	d.run(`for i = 1, 4 do terminal.create({ command = "cat" }, function(t, err) full = full or err end) end`)
	d.await(`full and full:find("4", 1, true)`)
	// Terminals go on when the session of the app ends, and the next one finds them.
	d.engine.Close()
	d.start(slog.New(slog.DiscardHandler))
	if got := d.run(`return { terminal.get("a").state ~= nil, terminal.get("a").rows }`); got != "[true,30]" {
		t.Errorf("afterwards: %s", got)
	}
}

// A script whose terminal could not be created, as its name was taken, does not reach the terminal
// of that name.
func TestScriptReachesNoOther(t *testing.T) {
	t.Parallel()
	d := newDesktop(t)
	d.run(`
		dev = terminal.create({ name = "dev", command = "cat" })
		other = terminal.create({ name = "dev" }, function() end)
		other:on("output", function() reached = "output" end)
		other:run("run", function(r, err) ran = err end)
		other:wait("prompt", function(s, err) waited = err end)
		other:submit("submitted", function(ok, err) typed = err end)
		other:kill(function(ok, err) killed = err end)`)
	d.await(`ran and waited and typed and killed and other.state == "failed"`)
	for _, name := range []string{"ran", "waited", "typed", "killed"} {
		if got := d.run("return " + name); !strings.Contains(got, "could not be created") {
			t.Errorf("%s = %s", name, got)
		}
	}
	d.run(`dev:typed(nil, function(list) ledger = list end)`)
	d.await(`ledger`)
	if got := d.run(`return { #ledger, dev.running, reached or "not" }`); got != `[0,true,"not"]` {
		t.Errorf("the terminal of that name: %s", got)
	}
}

// What is typed after a command reaches that command, even if the shell is still starting, and a
// key reaches it while other commands wait for their turn.
func TestScriptTypesAfterCommand(t *testing.T) {
	t.Parallel()
	d := newDesktop(t)
	d.run(`
		outputs = {}
		a = terminal.create({ name = "a" })
		local function done(r, err) table.insert(outputs, err or r.output) end
		a:run("read x; echo got-$x", done)
		a:submit("hello")
		a:run("sh -c 'echo begun-$((40+2)); exec sleep 1000'", done)
		a:run("echo last", done)`)
	d.await(`#outputs == 1 and a:screen():find("begun-42", 1, true)`)
	d.run(`a:keys("C-c")`)
	d.await(`#outputs == 3`)
	if got := d.run(`return table.concat(outputs, "|")`); !strings.Contains(got, "got-hello") || !strings.Contains(got, "last") {
		t.Errorf("outputs: %s", got)
	}
}

// A terminal that asks who may type asks about scripts, too. They learn who leads.
func TestScriptMustAsk(t *testing.T) {
	t.Parallel()
	d := newDesktop(t)
	d.run(`
		guarded = terminal.create({ name = "guarded", command = "cat", askToType = true }, function() made = true end)
		guarded:send("x", function(ok, err) refused = err end)
		guarded:run("y", function(ok, err) refusedToo = err end)`)
	d.await(`made and refused and refusedToo`)
	if got := d.run(`return { refused, refusedToo, guarded.leader == nil }`); strings.Count(got, "a person must allow typing") != 2 || !strings.HasSuffix(got, "true]") {
		t.Errorf("typing into a terminal that asks: %s", got)
	}
	person, err := d.local.Attach(t.Context(), terminals.Everything, "guarded", term.ViewerOptions{Client: clients.Options{Name: "attic"}})
	if err != nil {
		t.Fatal(err)
	}
	defer person.Close()
	if err := person.Resize(t.Context(), 70, 20); err != nil {
		t.Fatal(err)
	}
	d.await(`guarded.leader == "attic" and guarded.cols == 70`)
}

// Output that is faster than the handler is combined, and what is left out is counted.
func TestScriptLagsBehindOutput(t *testing.T) {
	t.Parallel()
	d := newDesktop(t)
	d.run(`
		lines, missed, calls, ordered, next = 0, 0, 0, true, nil
		flood = terminal.create({ command = "seq 1 200000; cat", scrollback = 2000 })
		flood:on("output", function(o)
			calls = calls + 1
			ordered = ordered and (next == nil or o.first == next + o.missed)
			next = o.first + #o.lines
			lines, missed, last = lines + #o.lines, missed + o.missed, o.lines[#o.lines] or last
		end)`)
	d.await(`last == "200000"`)
	if got := d.run(`return { lines + missed, ordered, lines <= calls * 1000 }`); got != `[200000,true,true]` {
		t.Errorf("lines and missed ones, in order, within the limit: %s, %s", got, d.run(`return {lines, missed, calls}`))
	}
}
