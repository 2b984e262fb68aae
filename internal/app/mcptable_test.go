package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/app"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/lua"
	"ui-mcp/internal/ui/lua/async"
)

func TestTable(t *testing.T) {
	h := started(t, nil)
	h.write("apps/my-list/app.lua", `MyList = session:prototype("MyList", {n = 3})
		if not session.reloading then myList = MyList:new() end`)
	h.want("return mcp.type", `"MCP"`)
	h.want("return mcp.sessionId", `"1"`)
	h.want("return mcp:status().state", `"running"`)
	h.want("return mcp:pollingEvents()", "false")
	h.want("return mcp:waitTime() > 0 and mcp:waitTime() < 60", "true") // since the start
	h.want("return mcp:pendingEventCount()", "0")
	h.want("mcp.pushState({}) return mcp:pendingEventCount()", "1")
	h.want("function MCP:added() return self == mcp end return mcp:added() and MCP.type", `"MCP"`)
	h.want("return mcp:reinjectThemes()", "null")
	h.want("return type(mcp:status().mcp_port)", `"number"`)
	h.want(`return mcp:renderMarkdown("*a* <b>")`, `"<p><em>a</em> &lt;b&gt;</p>\n"`)
	// It is loaded, and not shown.
	h.want(`return mcp:app("my-list").n`, "3")
	h.want("return mcp.value == nil", "true")
	h.want(`local obj, err = mcp:app("none") return {obj == nil, err:match("^no app")}`, `[true,"no app"]`)
	// Both forms of a call are the same.
	h.want(`return mcp.renderMarkdown("a") == mcp:renderMarkdown("a")`, "true")
}

// Counting the events that wait copies none of them, however many there are.
func TestPendingEventCountCopiesNothing(t *testing.T) {
	h := started(t, nil)
	h.run(`for i = 1, 10000 do mcp.pushState({}) end`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	h.want(`local n for i = 1, 100 do n = mcp:pendingEventCount() end return n`, "10000")
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20 { // 100 lists of 10,000 take 24 MB
		t.Errorf("100 counts took %d bytes", took)
	}
}

func TestWaitTime(t *testing.T) {
	h := started(t, nil)
	h.run(`mcp.pushState({n = 1})`)
	if diff := cmp.Diff([]string{`{"n":1}`}, h.events()); diff != "" {
		t.Error(diff)
	}
	h.want("return mcp:waitTime() > 0 and mcp:waitTime() < 60", "true")
}

// Scripts that run when a session starts, before the first page can ask, know the ports already:
// apps keep what they read then.
func TestStatusWhileASessionStarts(t *testing.T) {
	h := newHarness(t, nil)
	h.write("apps/early/init.lua", `early = mcp:status() early.rest = { early.url:match("^http://127.0.0.1:%d+$") ~= nil, early.mcp_port > 0 }`)
	h.start()
	h.want("return {early.state, early.rest[1], early.rest[2]}", `["running",true,true]`)
	h.want("return early.mcp_port == mcp:status().mcp_port and early.url == mcp:status().url", "true")
}

// Timers and their errors reach the session by themselves.
func TestTimers(t *testing.T) {
	h := started(t, nil)
	h.run(`session:setTimeout(function() mcp.pushState({later = true}) end, 1)
		session:setImmediate(function() mcp.pushState({at_once = true}) end)`)
	got := h.events()
	if len(got) == 1 {
		got = append(got, h.events()...)
	}
	slices.Sort(got) // the first may take longer than the second's millisecond
	if diff := cmp.Diff([]string{`{"at_once":true}`, `{"later":true}`}, got); diff != "" {
		t.Error(diff)
	}
	h.run(`session:setTimeout(function() error("too late") end, 1)`)
	if got := h.events(); len(got) != 1 || !strings.Contains(got[0], `"event":"error"`) || !strings.Contains(got[0], "too late") {
		t.Errorf("events after an error in a timer: %s", got)
	}
	if n := h.Status(t.Context()).Errors; n != 1 {
		t.Errorf("%d errors, want 1", n)
	}
}

// A status counts the errors of what was saved just before, and none that this has fixed.
func TestStatusAfterSaving(t *testing.T) {
	h := started(t, nil)
	h.write("apps/box/app.lua", `if not session.reloading then box = session:create(session:prototype("Box", { n = 1 })) end`)
	const view = "apps/box/viewdefs/Box.DEFAULT.html"
	h.write(view, `<template><p ui-value="n"></p></template>`)
	if _, err := h.Display(t.Context(), app.DefaultSession, "box"); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"m", "n", "m", "n"} {
		h.write(view, fmt.Sprintf(`<template><p ui-value="%s"></p></template>`, bad))
		want := 0
		if bad == "m" {
			want = 1
		}
		if n := h.Status(t.Context()).Errors; n != want {
			t.Errorf("with %s, %d errors, want %d", bad, n, want)
		}
	}
}

func TestEffects(t *testing.T) {
	h := started(t, func(o *app.Options) {
		o.HTTP = func(_ context.Context, r async.Request) (async.Response, error) {
			if r.URL != "http://example.org/" {
				return async.Response{}, errors.New("nobody there")
			}
			return async.Response{Status: 200, Body: []byte(r.Method)}, nil
		}
		o.Exec = func(_ context.Context, c lua.Command) (lua.Result, error) {
			return lua.Result{Code: 7, Stdout: []byte(strings.Join(c.Argv, " "))}, nil
		}
	})
	h.run(`session:http({url = "http://example.org/", method = "put"}, function(r, err) mcp.pushState({r.status, r.body}) end)`)
	if diff := cmp.Diff([]string{`[200,"PUT"]`}, h.events()); diff != "" {
		t.Error(diff)
	}
	h.run(`session:http("http://nowhere/", function(r, err) mcp.pushState({r == nil, err}) end)`)
	if diff := cmp.Diff([]string{`[true,"nobody there"]`}, h.events()); diff != "" {
		t.Error(diff)
	}
	h.run(`session:exec({"ls", "-l"}, function(r, err) mcp.pushState({r.code, r.stdout}) end)`)
	if diff := cmp.Diff([]string{`[7,"ls -l"]`}, h.events()); diff != "" {
		t.Error(diff)
	}
}

func TestEffectsSwitchedOff(t *testing.T) {
	h := started(t, nil)
	for code, flag := range map[string]string{
		`session:http("http://example.org/")`: "--no-http",
		`session:exec({"ls"})`:                "--no-exec",
		`os.execute("ls")`:                    "--no-exec",
		`terminal.create()`:                   "terminals are switched off, by --no-exec",
		`terminal.get("dev")`:                 "terminals are switched off, by --no-exec",
	} {
		if _, err := h.Run(t.Context(), "1", code); fault.KindOf(err) != fault.Script || !strings.Contains(err.Error(), flag) {
			t.Errorf("%s: %v", code, err)
		}
	}
}

// Work under way ends with the app, and its results no longer reach Lua.
func TestCloseCancels(t *testing.T) {
	begun, ended := make(chan bool, 1), make(chan error, 1)
	h := started(t, func(o *app.Options) {
		o.HTTP = func(ctx context.Context, _ async.Request) (async.Response, error) {
			begun <- true
			<-ctx.Done()
			ended <- ctx.Err()
			return async.Response{}, ctx.Err()
		}
	})
	h.run(`session:http("http://example.org/", function() error("must not be called") end)
		session:setInterval(function() end, 1)`)
	<-begun
	h.Close()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the request ended with %v", err)
	}
}

func TestTopics(t *testing.T) {
	h := started(t, nil)
	if n := publish(t, h, "build", "1"); n != 0 {
		t.Errorf("%d listeners before anyone has subscribed", n)
	}
	h.run(`sub = mcp:subscribe("build", function(v) mcp.pushState({got = v.state}) end)`)
	if n := publish(t, h, "build", `{"state":"green"}`); n != 1 {
		t.Errorf("%d listeners, want 1", n)
	}
	if diff := cmp.Diff([]string{`{"got":"green"}`}, h.events()); diff != "" {
		t.Error(diff)
	}
	// Another session publishes, and this one is notified.
	if _, err := h.Run(t.Context(), "other", `return mcp:publish("build", {state = "red"})`); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{`{"got":"red"}`}, h.events()); diff != "" {
		t.Error(diff)
	}
	h.run("sub.cancel()")
	if n := publish(t, h, "build", "1"); n != 0 {
		t.Errorf("%d listeners after cancelling", n)
	}
	for topic, value := range map[string]string{"": "1", "build": "{"} {
		if _, err := h.Publish(topic, json.RawMessage(value)); fault.KindOf(err) != fault.Invalid {
			t.Errorf("Publish(%q, %q) = %v", topic, value, err)
		}
	}
	if _, err := h.Run(t.Context(), "1", `mcp:subscribe("build")`); err == nil || !strings.Contains(err.Error(), "a function") {
		t.Errorf("subscribe without a function: %v", err)
	}
}

// A file that is loaded again replaces its subscriptions.
func TestTopicsOfFiles(t *testing.T) {
	h := started(t, nil)
	code := `A = session:prototype("A", {})
		mcp:subscribe("t", function(v) mcp.pushState({v}) end)
		if not session.reloading then a = A:new() end`
	h.write("apps/a/viewdefs/A.DEFAULT.html", `<template><p></p></template>`)
	for _, version := range []string{code, code + "\nB = 1"} {
		h.write("apps/a/app.lua", version)
		if _, err := h.Display(t.Context(), "1", "a"); err != nil {
			t.Fatal(err)
		}
	}
	h.want("return B", "1")
	if n := publish(t, h, "t", "1"); n != 1 {
		t.Errorf("%d listeners, want 1", n)
	}
}

// One file may subscribe to a topic several times.
func TestSubscriptionsSideBySide(t *testing.T) {
	h := started(t, nil)
	h.write("lua/subs.lua", `
		mcp:subscribe("t", function(v) mcp.pushState({ "first", v }) end)
		mcp:subscribe("t", function(v) mcp.pushState({ "second", v }) end)
		return true`)
	h.run(`require("subs")`)
	if n, err := h.Publish("t", []byte("1")); n != 2 || err != nil {
		t.Errorf("%d listeners, %v", n, err)
	}
}

// Listeners that publish to their own topic are bounded, and their author is notified.
func TestListenersInACircle(t *testing.T) {
	h := started(t, nil)
	h.run(`for i = 1, 20 do mcp:subscribe("circle", function(v) mcp:publish("circle", v) end) end mcp:publish("circle", 1)`)
	for {
		if text := strings.Join(h.events(), "\n"); strings.Contains(text, "calls of listeners were dropped, since 10000 of them were waiting") {
			return
		}
	}
}
