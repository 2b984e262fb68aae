package opcases

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/testkit/wait"
)

// An Opener returns terminals with the sessions of l, which may be at the other end of a network.
type Opener func(t *testing.T, l *terminals.Local) terminals.Terminals

// Streams checks the streams of terminals, as far as every interface between programs must have
// them: what happens in sessions of this process arrives at the other end.
func Streams(t *testing.T, open Opener) {
	for name, f := range map[string]func(*testing.T, Opener){
		"watch": watch, "limited": limited, "follow": follow, "names": names, "client": client, "output": output, "questions": following,
	} {
		t.Run(name, func(t *testing.T) { f(t, open) })
	}
}

var inA = terminals.Target{Session: "a"}

// do carries out an operation with all rights.
func do(t *testing.T, l *terminals.Local, op, in string) (got string) {
	t.Helper()
	got, err := Do(t.Context(), l, terminals.Everything, op, in)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// opened opens a stream, which the caller must close.
func opened[In, Part any](t *testing.T, ts terminals.Terminals, o *terminals.StreamOp[In, Part], by terminals.Grant, in In) *terminals.Parts[Part] {
	t.Helper()
	p, err := o.Open(t.Context(), ts, by, in)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// check reports where an answer differs from what it must contain.
func check(t *testing.T, want, got string) {
	t.Helper()
	if d := Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Object returns an event as JSON.
func Object(e wire.Event) string { return "{" + string(wire.AppendMembers(nil, e)) + "}" }

// A Reader reads the events of a watcher one by one.
type Reader struct {
	*terminals.Parts[[]wire.Event]
	read []wire.Event // that came together with one that was awaited, and after it
}

// Await returns the next event of that name which contains the text.
func (r *Reader) Await(t *testing.T, name, text string) wire.Event {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		if len(r.read) == 0 {
			var err error
			if r.read, err = r.Next(ctx); err != nil {
				t.Fatalf("no %s with %s: %v", name, text, err)
			}
		}
		for len(r.read) > 0 {
			e := r.read[0]
			r.read = r.read[1:]
			if d := Diff(string(fault.Must(json.Marshal(e))), Object(e)); d != "" {
				t.Errorf("%s encodes itself in another way than encoding/json: %s", e.Name(), d)
			}
			back(t, e)
			if e.Name() == name && strings.Contains(Object(e), text) {
				return e
			}
		}
	}
}

// back checks that an event is the same after it has crossed as JSON.
func back(t *testing.T, e wire.Event) {
	t.Helper()
	var list []wire.Event
	err := wire.Decode(wire.Append(nil, []wire.Event{e}), &list, nil)
	same := err == nil && reflect.TypeOf(list[0]) == reflect.TypeOf(e) && Object(list[0]) == Object(e)
	switch e.(type) {
	case wire.Sync, wire.Line, wire.Chars, wire.Diff, wire.BecameIdle: // whose lines have types of their own
		same = same && reflect.DeepEqual(list[0], e)
	}
	if !same {
		t.Errorf("%s comes back as %#v, %v", Object(e), list, err)
	}
}

// watch checks which events a watcher gets.
func watch(t *testing.T, open Opener) {
	l := New(t, Case{Before: prompting})
	ts := open(t, l)
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
			{"input.capture", ``, "mode", `{"mode":"capture"}`},
			{"overlay.create", `"spans":[{"text":"o"}],"focusable":true`, "overlay", `{"overlays":[{"id":"overlay-1"}]}`},
			{"focus.set", `"id":"overlay-1"`, "overlay", `{"focused":"overlay-1"}`},
		}},
		{"commands", `{"session":"p","events":["command"]}`, []step{
			{"input.send", `\u001b]133;C\u0007`, "command", `{"state":"running"}`},
			{"input.send", `\u001b]133;D;3\u0007`, "command", `{"state":"done","exit_code":3}`},
		}},
		{"activity", `{"session":"a","events":["activity"],"idle_timeout_ms":1}`, []step{
			{event: "idle", want: `{"screen":{"alternate_active":false}}`},
			{"input.send", `x`, "running", `{}`},
			{event: "idle", want: `{"screen":{"alternate_active":false}}`},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var in terminals.WatchQuery
			if err := json.Unmarshal([]byte(tt.query), &in); err != nil {
				t.Fatal(err)
			}
			w := opened(t, ts, terminals.Watch, terminals.Everything, in)
			defer w.Close()
			events := &Reader{Parts: w}
			for _, s := range tt.steps {
				in := `{"session":"` + in.Session + `"`
				switch {
				case s.do == "input.send":
					var text string
					if err := json.Unmarshal([]byte(`"`+s.in+`"`), &text); err != nil {
						t.Fatal(err)
					}
					in += `,"data":` + string(fault.Must(json.Marshal([]byte(text))))
				case s.in != "":
					in += "," + s.in
				}
				if s.do != "" {
					do(t, l, s.do, in+"}")
				}
				for {
					got := Object(events.Await(t, s.event, ""))
					d := Diff(s.want, got)
					if d == "" {
						break
					}
					t.Logf("%s: %s", s.do, d)
				}
			}
		})
	}
	if _, err := terminals.Watch.Open(t.Context(), ts, terminals.Everything, terminals.WatchQuery{Target: inA, Events: []string{"linez"}}); fault.KindOf(err) != fault.Invalid {
		t.Errorf("an unknown event: %v", err)
	}
	if _, err := terminals.Watch.Open(t.Context(), ts, terminals.Everything, terminals.WatchQuery{Target: terminals.Target{Session: "over"}}); fault.KindOf(err) != fault.Gone {
		t.Errorf("an ended session: %v", err)
	}
}

// limited checks that streams serve only the sessions that a grant covers, and only while it covers
// them.
func limited(t *testing.T, open Opener) {
	l := New(t, Case{})
	ts := open(t, l)
	tagged := terminals.Grant{Rights: terminals.Read, Tags: []string{"x"}}
	follow := opened(t, ts, terminals.Follow, tagged, terminals.None{})
	defer follow.Close()
	w := opened(t, ts, terminals.Watch, tagged, terminals.WatchQuery{Target: inA, Events: []string{"lines"}})
	defer w.Close()
	(&Reader{Parts: w}).Await(t, "sync", "")
	o := opened(t, ts, terminals.ReadOutput, tagged, terminals.OutputQuery{Target: inA})
	defer o.Close()
	if b, err := o.Next(t.Context()); err != nil || !strings.Contains(string(b), "hello") {
		t.Errorf("the output begins with %q, %v", b, err)
	}
	c := opened(t, ts, terminals.Join, tagged, terminals.JoinQuery{Target: inA})
	if s, err := terminals.GetSession.Do(t.Context(), ts, tagged, inA); err != nil || s.Clients != 1 || c.Name() != "a" {
		t.Errorf("%+v, %v", s, err)
	}
	c.Close()

	for _, session := range []string{"over", "none"} {
		if _, err := terminals.Join.Open(t.Context(), ts, tagged, terminals.JoinQuery{Target: terminals.Target{Session: session}}); fault.KindOf(err) != fault.NotFound {
			t.Errorf("join %s: %v", session, err)
		}
		if _, err := terminals.ReadOutput.Open(t.Context(), ts, tagged, terminals.OutputQuery{Target: terminals.Target{Session: session}}); fault.KindOf(err) != fault.NotFound {
			t.Errorf("output of %s: %v", session, err)
		}
		if _, err := terminals.Watch.Open(t.Context(), ts, tagged, terminals.WatchQuery{Target: terminals.Target{Session: session}}); fault.KindOf(err) != fault.NotFound {
			t.Errorf("watch %s: %v", session, err)
		}
	}
	if _, err := terminals.Follow.Open(t.Context(), ts, terminals.Grant{Rights: terminals.Type}, terminals.None{}); fault.DetailOf(err) != terminals.NotAllowed {
		t.Errorf("follow without the right: %v", err)
	}

	for _, step := range []struct{ op, in string }{
		{"session.create", `{"name":"b"}`},
		{"session.update", `{"session":"b","add_tags":["x"]}`},
		{"session.update", `{"session":"b","name":"c"}`},
		{"session.update", `{"session":"c","remove_tags":["x"],"add_tags":["secret"]}`},
		{"session.update", `{"session":"a","remove_tags":["x"]}`},
		{"input.send", `{"session":"a","data":"eA=="}`},
	} {
		do(t, l, step.op, step.in)
	}
	if e, err := w.Next(t.Context()); fault.KindOf(err) != fault.NotFound {
		t.Errorf("events of a session without the tag: %v, %v", e, err)
	}
	if b, err := o.Next(t.Context()); fault.KindOf(err) != fault.NotFound {
		t.Errorf("output of a session without the tag: %q, %v", b, err)
	}
	var got []string
	for len(got) < 4 {
		c, err := follow.Next(t.Context())
		if c.Missed != 0 || err != nil {
			t.Fatalf("%d missed, %v", c.Missed, err)
		}
		for _, e := range c.Events {
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

// follow checks that a lifecycle has what has happened, with the whole description of the session.
func follow(t *testing.T, open Opener) {
	l := New(t, Case{})
	follow := opened(t, open(t, l), terminals.Follow, terminals.Everything, terminals.None{})
	defer follow.Close()
	var events []wire.Lifecycle
	for _, tt := range []struct{ op, in, want string }{
		{"session.create", `{"name":"b","tags":["t"]}`, `{"event":"session_created","params":{"name":"b","tags":["t"],"server":"host","running":true,"pid":4242}}`},
		{"session.update", `{"session":"b","name":"c"}`, `{"event":"session_renamed","params":{"name":"c","old_name":"b","new_name":"c"}}`},
		{"session.update", `{"session":"c","add_tags":["u"]}`, `{"event":"session_tags_changed","params":{"name":"c","added":["u"],"removed":[],"tags":["t","u"]}}`},
		{"session.signal", `{"session":"c","signal":"TERM"}`, `{"event":"session_destroyed","params":{"name":"c","running":false,"exit":{"code":143,"signal":"SIGTERM"}}}`},
		{"session.remove", `{"session":"c"}`, `{"event":"session_removed","params":{"name":"c"}}`},
	} {
		do(t, l, tt.op, tt.in)
		for len(events) == 0 {
			c, err := follow.Next(t.Context())
			if err != nil || c.Missed != 0 {
				t.Fatalf("%s: %d missed, %v", tt.op, c.Missed, err)
			}
			// The end of the first program may be recorded only now, and states change whenever
			// sessions look at their programs.
			events = slices.DeleteFunc(c.Events, func(e wire.Lifecycle) bool {
				return e.Params.Name == "over" || e.Event == "session_state_changed"
			})
		}
		b := fault.Must(json.Marshal(events[0]))
		events = events[1:]
		if d := Diff(tt.want, string(b)); d != "" {
			t.Errorf("%s: %s", tt.op, d)
		}
	}
}

// following checks that a follower gets the open question, and learns what came of replies.
func following(t *testing.T, open Opener) {
	ts := open(t, New(t, Case{}))
	if _, err := terminals.OpenQuestions(t.Context(), ts, *everythingElse); fault.DetailOf(err) != terminals.NotAllowed {
		t.Errorf("without the right: %v", err)
	}
	q, err := terminals.OpenQuestions(t.Context(), ts, terminals.Everything)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	next := func(want string) (news terminals.QuestionNews) {
		t.Helper()
		news, err := q.Receive(t.Context())
		if err != nil {
			t.Fatalf("instead of %s: %v", want, err)
		}
		check(t, want, string(fault.Must(json.Marshal(news))))
		return news
	}
	digest := next(`{"asked":{"id":"` + openID + `","asker":"agent","question":{"title":"Deploy?"}}}`).Asked.Question.Digest()
	next(`{"listed":{"server_id":"id"}}`)
	send := func(in terminals.FromFollower) {
		t.Helper()
		if err := q.Send(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	answer := func(id, digest string, r question.Reply) {
		t.Helper()
		send(terminals.FromFollower{Answer: &terminals.QuestionReply{ID: id, Digest: digest, Delivery: "d", Reply: r}})
	}
	answer("none", digest, yes)
	next(`{"verdict":{"delivery":"d","result":"unknown"}}`)
	answer(openID, "other", yes)
	next(`{"verdict":{"result":"refused"}}`)
	answer(openID, digest, question.Reply{Action: question.Dismiss})
	next(`{"verdict":{"result":"refused"}}`) // it shows nothing
	send(terminals.FromFollower{Shows: new(true)})
	answer(openID, digest, question.Reply{Action: question.Active})
	answer(openID, digest, yes)
	got := map[bool]terminals.QuestionNews{}
	for range 2 {
		news, err := q.Receive(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got[news.Verdict != nil] = news
	}
	if v := got[true].Verdict; v == nil || v.Result != terminals.Accepted || v.Outcome != question.Answered || got[false].Over != openID {
		t.Errorf("the question has ended as %+v", got)
	}
	answer(openID, digest, yes)
	next(`{"verdict":{"result":"accepted"}}`) // the same reply
	err = q.Send(t.Context(), terminals.FromFollower{Answer: &terminals.QuestionReply{ID: openID}})
	if err == nil { // it crosses first
		_, err = q.Receive(t.Context())
	}
	if fault.KindOf(err) != fault.Invalid {
		t.Errorf("a reply without a delivery: %v", err)
	}
}

// names checks that streams tell the present name of their session, and that one of a removed
// session does not switch to another session of that name.
func names(t *testing.T, open Opener) {
	l := New(t, Case{})
	ts := open(t, l)
	c := opened(t, ts, terminals.Join, terminals.Everything, terminals.JoinQuery{Target: inA})
	defer c.Close()
	o := opened(t, ts, terminals.ReadOutput, terminals.Everything, terminals.OutputQuery{Target: inA})
	read := make(chan struct{})
	go func() { // names arrive with the output
		defer close(read)
		for err := error(nil); err == nil; {
			_, err = o.Next(context.Background())
		}
	}()
	defer func() { o.Close(); <-read }()
	id := c.SessionID()
	for _, step := range []struct{ op, in, want string }{
		{"session.update", `{"session":"a","name":"b"}`, "b"},
		{"session.remove", `{"session":"b"}`, ""},
		{"session.create", `{"name":"b"}`, ""},
	} {
		do(t, l, step.op, step.in)
		wait.Until(t, "the new name", func() bool { return c.Name() == step.want && o.Name() == step.want || step.want == "" })
	}
	if c.SessionID() != id || o.SessionID() != id {
		t.Errorf("the IDs are %q and %q, want %q", c.SessionID(), o.SessionID(), id)
	}
}

// client checks that a client is counted while it has not left, and learns the end of the program.
func client(t *testing.T, open Opener) {
	l := New(t, Case{})
	ts := open(t, l)
	counted := func() int {
		s, err := terminals.GetSession.Do(t.Context(), l, terminals.Everything, inA)
		if err != nil {
			t.Fatal(err)
		}
		return s.Clients
	}
	as := terminals.Count{Kind: clients.KindWebSocket, Name: "me", ReadOnly: true}
	c := opened(t, ts, terminals.Join, terminals.Everything, terminals.JoinQuery{Target: inA, Count: as})
	other := opened(t, ts, terminals.Join, terminals.Everything, terminals.JoinQuery{Target: inA, Count: as})
	defer other.Close()
	if as.Exact = true; counted() != 2 {
		t.Errorf("%d clients are counted", counted())
	}
	if _, err := terminals.Join.Open(t.Context(), ts, terminals.Everything, terminals.JoinQuery{Target: inA, Count: as}); fault.KindOf(err) != fault.Exists {
		t.Errorf("a client of the same name: %v", err)
	}
	s, err := terminals.GetSession.Do(t.Context(), l, terminals.Everything, inA)
	if err != nil || s.Attached[0].Name != "me" || s.Attached[0].Kind != string(clients.KindWebSocket) || len(s.Attached[0].Rights) != 1 {
		t.Errorf("%+v, %v", s.Attached, err)
	}
	c.Close()
	wait.Until(t, "the client to leave", func() bool { return counted() == 1 })
	ended := make(chan error, 1)
	go func() {
		_, err := other.Next(context.Background())
		ended <- err
	}()
	do(t, l, "session.signal", `{"session":"a","signal":"TERM"}`)
	if err := <-ended; fault.KindOf(err) != fault.Gone {
		t.Errorf("the program has ended: %v", err)
	}
	if _, err := terminals.Join.Open(t.Context(), ts, terminals.Everything, terminals.JoinQuery{Target: inA}); fault.KindOf(err) != fault.Gone {
		t.Errorf("a session whose program has ended: %v", err)
	}
}

// output checks that a reader with an offset gets all output, goes on where it was, and learns that
// a part is lost.
func output(t *testing.T, open Opener) {
	l := New(t, Case{})
	ts := open(t, l)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	do(t, l, "session.create", `{"name":"f","command":"hello","follow":true}`)
	read := func(session string, from uint64, end string) (string, error) {
		in := terminals.OutputQuery{Target: terminals.Target{Session: session}, From: &from, Whole: true}
		o, err := terminals.ReadOutput.Open(t.Context(), ts, terminals.Everything, in)
		if err != nil {
			return "", err
		}
		defer o.Close()
		for all := ""; ; {
			b, err := o.Next(ctx)
			if all += string(b); err != nil || strings.Contains(all, end) {
				return all, err
			}
		}
	}
	first, err := read("f", 0, "hello")
	if err != nil || !strings.HasPrefix(first, "hello") {
		t.Errorf("the output begins with %q, %v", first, err)
	}
	do(t, l, "input.send", `{"session":"f","data":"ZW5k"}`)
	if rest, err := read("f", 2, "end"); err != nil || !strings.HasPrefix(rest, first[2:]) {
		t.Errorf("the output goes on with %q, %v", rest, err)
	}
	if b, err := read("a", 0, "hello"); fault.DetailOf(err) != term.OutputLost {
		t.Errorf("nobody has read before: %q, %v", b, err)
	}
	if b, err := read("f", 1<<20, "x"); fault.KindOf(err) != fault.Invalid {
		t.Errorf("an offset behind the end: %q, %v", b, err)
	}
}
