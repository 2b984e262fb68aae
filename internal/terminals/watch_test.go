package terminals_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/testkit/opcases"
)

// object returns an event as JSON.
func object(e wire.Event) string { return "{" + string(wire.AppendMembers(nil, e)) + "}" }

// await returns the next event of that name which contains the text.
func await(t *testing.T, w terminals.Watcher, name, text string) wire.Event {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		events, err := w.Next(ctx)
		if err != nil {
			t.Fatalf("no %s with %s: %v", name, text, err)
		}
		for _, e := range events {
			b, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			if d := opcases.Diff(string(b), object(e)); d != "" {
				t.Errorf("%s encodes itself in another way than encoding/json: %s", e.Name(), d)
			}
			if e.Name() == name && strings.Contains(object(e), text) {
				return e
			}
		}
	}
}

func TestWatch(t *testing.T) {
	l := opcases.New(t, opcases.Case{})
	type step struct{ do, in, event, want string }
	for _, tt := range []struct {
		name  string
		query string
		steps []step
	}{
		{"the screen", `{"session":"a","events":["lines","cursor","mode","title"],"interval_ms":0}`, []step{
			{event: "sync", want: `{"screen":{"lines":[[{"text":"hello"}],[{"text":"$"}],[],[]]},"scrollback_lines":4}`},
			{"input.send", `\u001b[1mx\u001b[m`, "line", `{"index":1,"total_lines":4,"line":[{"text":"$ "},{"text":"x","bold":true}]}`},
			{"input.send", `\u001b[4;5H`, "cursor", `{"row":3,"col":4,"visible":true}`},
			{"input.send", `\u001b]2;new\u0007`, "title", `{"title":"new"}`},
			{"input.send", `\u001b[?1049h`, "reset", `{"reason":"alternate_screen_enter"}`},
			{"input.send", `\u001b[?1049l`, "mode", `{"alternate_active":false}`},
			{"session.resize", `"rows":3,"cols":10`, "reset", `{"reason":"resize"}`},
			{"input.send", `\r\r\r\r\r`, "line", `{"total_lines":9}`},
			{"input.send", `\u001b[3J`, "reset", `{"reason":"clear_scrollback"}`},
		}},
		{"plain parts", `{"session":"a","events":["chars","diffs"],"format":"plain","interval_ms":0}`, []step{
			{event: "sync", want: `{"event":"sync"}`},
			{"input.send", `\u001b[H\u001b[2Jabcd`, "chars", `{"row":0,"col":0,"width":4,"chars":"abcd"}`},
			{"input.send", `\u001b[1;2HX`, "chars", `{"row":0,"col":1,"width":1,"chars":"X"}`},
			{"input.send", `\u001b[1;3H\u001b[K`, "chars", `{"row":0,"col":2,"width":2,"chars":""}`},
			{"input.send", `\u001b[2;1Hy`, "diff", `{"changed_lines":[1],"screen":{"lines":["aX","y",""]}}`},
		}},
		{"the rest", `{"session":"a","events":["bell","notification","progress","clipboard","command","input","overlay"]}`, []step{
			{event: "overlay", want: `{"overlays":[],"panels":[],"focused":null,"screen_mode":"normal"}`},
			{"input.send", `\u0007`, "bell", `{"event":"bell"}`},
			{"input.send", `\u001b]777;notify;done;in 5 s\u0007`, "notification", `{"title":"done","body":"in 5 s"}`},
			{"input.send", `\u001b]9;4;1;30\u0007`, "progress", `{"state":"normal","percent":30}`},
			{"input.send", `\u001b]52;c;aGk=\u0007`, "clipboard", `{"selection":"c","data":"aGk="}`},
			{"input.send", `\u001b]133;C\u0007`, "command", `{"state":"running"}`},
			{"input.send", `\u001b]133;D;3\u0007`, "command", `{"state":"done","exit_code":3}`},
			{"input.capture", ``, "mode", `{"mode":"capture"}`},
			{"overlay.create", `"spans":[{"text":"o"}],"focusable":true`, "overlay", `{"overlays":[{"id":"overlay-1"}]}`},
			{"focus.set", `"id":"overlay-1"`, "overlay", `{"focused":"overlay-1"}`},
		}},
		{"activity", `{"session":"a","events":["activity"],"idle_timeout_ms":1}`, []step{
			{event: "idle", want: `{"screen":{"rows":3}}`},
			{"input.send", `x`, "running", `{}`},
			{event: "idle", want: `{"screen":{"rows":3}}`},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var in terminals.WatchQuery
			if err := json.Unmarshal([]byte(tt.query), &in); err != nil {
				t.Fatal(err)
			}
			w, err := l.Watch(t.Context(), terminals.Everything, in)
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			for _, s := range tt.steps {
				in := `{"session":"a"`
				switch {
				case s.do == "input.send":
					var text string
					if err := json.Unmarshal([]byte(`"`+s.in+`"`), &text); err != nil {
						t.Fatal(err)
					}
					b, err := json.Marshal([]byte(text))
					if err != nil {
						t.Fatal(err)
					}
					in += `,"data":` + string(b)
				case s.in != "":
					in += "," + s.in
				}
				if s.do != "" {
					if _, err := opcases.Do(t.Context(), l, terminals.Everything, s.do, in+"}"); err != nil {
						t.Fatal(err)
					}
				}
				for {
					got := object(await(t, w, s.event, ""))
					d := opcases.Diff(s.want, got)
					if d == "" {
						break
					}
					t.Logf("%s: %s", s.do, d)
				}
			}
		})
	}
	if _, err := l.Watch(t.Context(), terminals.Everything, terminals.WatchQuery{Target: terminals.Target{Session: "a"}, Events: []string{"linez"}}); fault.KindOf(err) != fault.Invalid {
		t.Errorf("an unknown event: %v", err)
	}
	if _, err := l.Watch(t.Context(), terminals.Everything, terminals.WatchQuery{Target: terminals.Target{Session: "over"}}); fault.KindOf(err) != fault.Gone {
		t.Errorf("an ended session: %v", err)
	}
}

// Streams serve only the sessions that a grant covers, and only while it covers them.
func TestStreamsOfALimitedGrant(t *testing.T) {
	l := opcases.New(t, opcases.Case{})
	tagged := terminals.Grant{Rights: terminals.Read, Tags: []string{"x"}}
	target := terminals.Target{Session: "a"}
	follow, err := l.Follow(t.Context(), tagged)
	if err != nil {
		t.Fatal(err)
	}
	defer follow.Close()
	w, err := l.Watch(t.Context(), tagged, terminals.WatchQuery{Target: target, Events: []string{"lines"}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	await(t, w, "sync", "")
	o, err := l.Output(t.Context(), tagged, "a")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if b, err := o.Next(t.Context()); err != nil || !strings.Contains(string(b), "hello") {
		t.Errorf("the output begins with %q, %v", b, err)
	}
	c, err := l.Join(t.Context(), tagged, "a", term.ClientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if s, err := terminals.GetSession.Do(t.Context(), l, tagged, target); err != nil || s.Clients != 1 || c.Name() != "a" {
		t.Errorf("%+v, %v", s, err)
	}
	c.Close()

	for _, session := range []string{"over", "none"} {
		if _, err := l.Join(t.Context(), tagged, session, term.ClientOptions{}); fault.KindOf(err) != fault.NotFound {
			t.Errorf("join %s: %v", session, err)
		}
		if _, err := l.Output(t.Context(), tagged, session); fault.KindOf(err) != fault.NotFound {
			t.Errorf("output of %s: %v", session, err)
		}
		if _, err := l.Watch(t.Context(), tagged, terminals.WatchQuery{Target: terminals.Target{Session: session}}); fault.KindOf(err) != fault.NotFound {
			t.Errorf("watch %s: %v", session, err)
		}
	}
	if _, err := l.Follow(t.Context(), terminals.Grant{Rights: terminals.Type}); fault.DetailOf(err) != terminals.NotAllowed {
		t.Errorf("follow without the right: %v", err)
	}

	all := terminals.Everything
	for _, step := range []struct{ op, in string }{
		{"session.create", `{"name":"b"}`},
		{"session.tag", `{"session":"b","add":["x"]}`},
		{"session.rename", `{"session":"b","to":"c"}`},
		{"session.tag", `{"session":"c","remove":["x"],"add":["secret"]}`},
		{"session.tag", `{"session":"a","remove":["x"]}`},
		{"input.send", `{"session":"a","data":"eA=="}`},
	} {
		if _, err := opcases.Do(t.Context(), l, all, step.op, step.in); err != nil {
			t.Fatal(err)
		}
	}
	if e, err := w.Next(t.Context()); fault.KindOf(err) != fault.NotFound {
		t.Errorf("events of a session without the tag: %v, %v", e, err)
	}
	if b, err := o.Next(t.Context()); fault.KindOf(err) != fault.NotFound {
		t.Errorf("output of a session without the tag: %q, %v", b, err)
	}
	var got []string
	for len(got) < 4 {
		events, missed, err := follow.Next(t.Context())
		if missed != 0 || err != nil {
			t.Fatalf("%d missed, %v", missed, err)
		}
		for _, e := range events {
			if e.Event == "session_state_changed" { // it comes whenever the session has looked at its program
				continue
			}
			got = append(got, e.Event+" "+e.Params.Name+" "+strings.Join(e.Params.Tags, ","))
		}
	}
	want := "session_created b x; session_renamed c x; session_destroyed c x; session_destroyed a x"
	if d := strings.Join(got, "; "); d != want {
		t.Errorf("got %s, want %s", d, want)
	}
}

// A lifecycle has what has happened, with the whole description of the session.
func TestFollow(t *testing.T) {
	l := opcases.New(t, opcases.Case{})
	follow, err := l.Follow(t.Context(), terminals.Everything)
	if err != nil {
		t.Fatal(err)
	}
	defer follow.Close()
	var events []wire.Lifecycle
	for _, tt := range []struct{ op, in, want string }{
		{"session.create", `{"name":"b","tags":["t"]}`, `{"event":"session_created","params":{"name":"b","tags":["t"],"server":"host","running":true,"pid":4242}}`},
		{"session.rename", `{"session":"b","to":"c"}`, `{"event":"session_renamed","params":{"name":"c","old_name":"b","new_name":"c"}}`},
		{"session.tag", `{"session":"c","add":["u"]}`, `{"event":"session_tags_changed","params":{"name":"c","added":["u"],"removed":[],"tags":["t","u"]}}`},
		{"session.signal", `{"session":"c","signal":"TERM"}`, `{"event":"session_destroyed","params":{"name":"c","running":false,"exit":{"code":143,"signal":"SIGTERM"}}}`},
		{"session.remove", `{"session":"c"}`, `{"event":"session_removed","params":{"name":"c"}}`},
	} {
		if _, err := opcases.Do(t.Context(), l, terminals.Everything, tt.op, tt.in); err != nil {
			t.Fatal(err)
		}
		for len(events) == 0 {
			var missed int
			if events, missed, err = follow.Next(t.Context()); err != nil || missed != 0 {
				t.Fatalf("%s: %d missed, %v", tt.op, missed, err)
			}
			// The end of the first program may be recorded only now, and states change whenever
			// sessions look at their programs.
			events = slices.DeleteFunc(events, func(e wire.Lifecycle) bool {
				return e.Params.Name == "over" || e.Event == "session_state_changed"
			})
		}
		b, err := json.Marshal(events[0])
		if err != nil {
			t.Fatal(err)
		}
		events = events[1:]
		if d := opcases.Diff(tt.want, string(b)); d != "" {
			t.Errorf("%s: %s", tt.op, d)
		}
	}
}

// A session that gets another name or other tags while somebody waits for it is hidden from those
// whose grant does not cover it any more, and so are its name and what it displays.
func TestWaitsOfALimitedGrant(t *testing.T) {
	for op, in := range map[string]string{
		"wait.text": `"text":"secret"`, "wait.idle": `"fresh":true,"timeout_ms":500`, "wait.exit": `"max_wait_ms":1000`, "screen.next": ``,
		"command.run": `"line":"secret","timeout_ms":60000,"max_wait_ms":500`,
	} {
		t.Run(op, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := opcases.New(t, opcases.Case{})
				tagged := terminals.Grant{Rights: terminals.AllRights, Tags: []string{"x"}}
				if op == "screen.next" {
					screen, err := terminals.GetScreen.Do(t.Context(), l, tagged, terminals.ScreenQuery{Target: terminals.Target{Session: "a"}})
					if err != nil {
						t.Fatal(err)
					}
					in = fmt.Sprintf(`"epoch":%d`, screen.Epoch)
				}
				type result struct {
					out string
					err error
				}
				done := make(chan result, 1)
				go func() {
					out, err := opcases.Do(t.Context(), l, tagged, op, `{"session":"a",`+in+`}`)
					done <- result{out, err}
				}()
				synctest.Wait()
				for _, step := range []struct{ op, in string }{
					{"session.update", `{"session":"a","name":"hidden","remove_tags":["x"]}`},
					{"input.send", `{"session":"hidden","data":"c2VjcmV0"}`},
				} {
					if _, err := opcases.Do(t.Context(), l, terminals.Everything, step.op, step.in); err != nil {
						t.Fatal(err)
					}
				}
				got := <-done
				if fault.KindOf(got.err) != fault.NotFound || strings.Contains(got.err.Error(), "hidden") || strings.Contains(got.out, "secret") {
					t.Errorf("%s, %v", got.out, got.err)
				}
			})
		})
	}
}

// The same holds for the streams of persons' terminals.
func TestViewersOfALimitedGrant(t *testing.T) {
	l := opcases.New(t, opcases.Case{})
	tagged := terminals.Grant{Rights: terminals.AllRights, Tags: []string{"x"}}
	v, err := l.Attach(t.Context(), tagged, "a", term.ViewerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if _, err := v.Next(t.Context()); err != nil {
		t.Fatal(err)
	}
	c, err := l.Join(t.Context(), tagged, "a", term.ClientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	o, err := l.Output(t.Context(), tagged, "a")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if err := v.Type(t.Context(), []byte("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := opcases.Do(t.Context(), l, terminals.Everything, "session.update", `{"session":"a","name":"hidden","remove_tags":["x"]}`); err != nil {
		t.Fatal(err)
	}
	if err := v.Type(t.Context(), []byte("y")); fault.KindOf(err) != fault.NotFound {
		t.Errorf("typing: %v", err)
	}
	if err := v.Fit(t.Context(), 10, 2); fault.KindOf(err) != fault.NotFound {
		t.Errorf("another size: %v", err)
	}
	if b, err := v.History(t.Context(), 10); fault.KindOf(err) != fault.NotFound {
		t.Errorf("the history: %q, %v", b, err)
	}
	if b, err := v.Next(t.Context()); fault.KindOf(err) != fault.NotFound {
		t.Errorf("the picture: %q, %v", b, err)
	}
	for _, s := range []interface{ Name() string }{c, o, v} {
		if got := s.Name(); got != "" {
			t.Errorf("a client learns the name %q", got)
		}
	}
}

// A stream of a removed session does not switch to another session of that name.
func TestNamesOfReplacedSessions(t *testing.T) {
	l := opcases.New(t, opcases.Case{})
	v, err := l.Attach(t.Context(), terminals.Everything, "a", term.ViewerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	c, err := l.Join(t.Context(), terminals.Everything, "a", term.ClientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	o, err := l.Output(t.Context(), terminals.Everything, "a")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	all := []interface{ Name() string }{v, c, o}
	for _, step := range []struct{ op, in, want string }{
		{"session.rename", `{"session":"a","to":"b"}`, "b"},
		{"session.remove", `{"session":"b"}`, ""},
		{"session.create", `{"name":"b"}`, ""},
	} {
		if _, err := opcases.Do(t.Context(), l, terminals.Everything, step.op, step.in); err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			if got := s.Name(); got != step.want {
				t.Errorf("after %s: %T has the name %q, want %q", step.op, s, got, step.want)
			}
		}
	}
}
