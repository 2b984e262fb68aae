package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/attachedterm"
	"ui-mcp/internal/transport/socketwire"
)

// A hostile host answers what it likes.
type hostile struct {
	terminals.Terminals
	frames []socketwire.Frame
	read   chan socketwire.Frame // gets what clients send; nil: nothing does

	mu       sync.Mutex // guards the fields below
	sessions []wire.Session
	events   []wire.Lifecycle
}

// says has the host answer with other sessions and events from now on.
func (h *hostile) says(sessions []wire.Session, events []wire.Lifecycle) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sessions, h.events = sessions, events
}

func (h *hostile) Do(_ context.Context, _ terminals.Grant, _ *terminals.Operation, _, out any) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if out, ok := out.(*[]wire.Session); ok {
		*out = h.sessions
	}
	if out, ok := out.(*terminals.Image); ok {
		*out = terminals.Image{ContentType: "text/html", Data: []byte("<script>")}
	}
	return nil
}

func (h *hostile) Open(_ context.Context, _ terminals.Grant, o *terminals.Operation, _ any) (terminals.Stream, error) {
	if o == &terminals.Attach.Operation {
		ctx, cancel := context.WithCancel(context.Background())
		return &showing{h: h, left: slices.Clone(h.frames), ctx: ctx, cancel: cancel}, nil
	}
	return happening{h: h}, nil
}

// happening is what the host says of changes.
type happening struct {
	terminals.Stream
	h *hostile
}

func (f happening) Receive(_ context.Context, out any) error {
	f.h.mu.Lock()
	defer f.h.mu.Unlock()
	out.(*terminals.Changes).Events = f.h.events
	return nil
}

func (happening) Name() string      { return "" }
func (happening) SessionID() string { return "" }
func (happening) Close()            {}

// showing is what the host sends to an attached terminal, until that leaves.
type showing struct {
	terminals.Stream
	h      *hostile
	left   []socketwire.Frame
	ctx    context.Context
	cancel context.CancelFunc
}

func (s *showing) Receive(ctx context.Context, out any) error {
	if len(s.left) > 0 {
		*out.(*socketwire.Frame), s.left = s.left[0], s.left[1:]
		return nil
	}
	select {
	case <-ctx.Done():
	case <-s.ctx.Done():
	}
	return io.EOF
}

func (s *showing) Send(_ context.Context, in any) error {
	f := *in.(*socketwire.Frame)
	if f.Kind == socketwire.Detach {
		s.cancel()
	}
	select {
	case s.h.read <- f:
	default:
	}
	return nil
}

func (s *showing) Close() { s.cancel() }

// What a picture is follows from what was asked for, and not from what a host says.
func TestHostilePictures(t *testing.T) {
	w := serve(t, &hostile{}, all)
	for format, want := range map[string]string{"png": "image/png", "svg": "image/svg+xml", "html": "text/html; charset=utf-8"} {
		got, err := terminals.DrawPicture.Do(t.Context(), w, all, terminals.Drawing{Target: terminals.Target{Session: "s"}, Format: format})
		if err != nil || got.ContentType != want {
			t.Errorf("%s: %q, %v", format, got.ContentType, err)
		}
	}
}

// A host that never says whether it attaches a terminal, but answers pings, does not hold it up for
// ever.
func TestAttachUnanswered(t *testing.T) {
	w := serve(t, &hostile{}, all)
	w.patience = time.Millisecond
	_, err := terminals.Attach.Open(t.Context(), w, all, terminals.AttachQuery{Target: terminals.Target{Session: "s"}, Request: []byte(`{"name":"s","client":{}}`)})
	wantError(t, err, fault.Unreachable, terminals.HostSilent, "it has not answered for 1ms")
}

// TestHostileFrames has a host send every kind of frame to an attached terminal.
func TestHostileFrames(t *testing.T) {
	for name, tt := range map[string]struct {
		sent    socketwire.Frame
		request string
		got     string // "" is nothing
		ends    bool
	}{
		"pictures":        {sent: frameOf(socketwire.PtyOutput, "a\x1b[6n\x1b]52;c;QQ==\x1b\\\a\x1b[1mb"), got: "10 a\x1b[1mb"},
		"the clipboard":   {sent: frameOf(socketwire.PtyOutput, "\x1b]52;c;QQ==\x1b\\\a"), request: `"client":{"clipboard":true,"forward":true}`, got: "10 \x1b]52;c;QQ==\x1b\\\a"},
		"names":           {sent: frameOf(socketwire.AttachSessionResponse, `{"name":"a\u001b]2;x\u0007","id":"1","pid":12345678901234567890}`), got: `04 {"id":"1","name":"a]2;x","pid":12345678901234567890}`},
		"no JSON":         {sent: frameOf(socketwire.Resize, `[`), got: "07 host_silent", ends: true},
		"a failure":       {sent: frameOf(socketwire.Failed, `{"code":"auth_invalid","message":"\u001bcyour token was withdrawn","protocol":1}`), got: `07 {"code":"not_allowed","message":"build1: it does not accept this server any more","protocol":`},
		"stopping":        {sent: frameOf(socketwire.Failed, `{"code":"server_unavailable","message":"x"}`), got: `07 {"code":"host_silent","message":"build1: it is stopping: what was asked may have been done, or not"`},
		"another code":    {sent: frameOf(socketwire.Failed, `{"code":"\u001bc","message":"\u001bc"}`), got: `07 {"code":"precondition_failed","message":"build1: \\x1bc"`},
		"a known code":    {sent: frameOf(socketwire.Failed, `{"code":"not_permitted","message":"no"}`), got: `07 {"code":"not_permitted","message":"build1: no"`},
		"an end":          {sent: frameOf(socketwire.Detach, `{"reason":"exited","name":"a\u001bc","code":70000,"signal":"\u001bc"}`), got: `05 {"reason":"exited","name":"ac","code":112,"signal":"_c"}`},
		"its own end":     {sent: frameOf(socketwire.Detach, `{"reason":"stopping"}`), got: "07 host_silent", ends: true},
		"another end":     {sent: frameOf(socketwire.Detach, `{"reason":"hacked"}`), got: "07 host_silent", ends: true},
		"a question":      {sent: frameOf(socketwire.Question, `{"type":"state","questions":[{"id":"X","title":"sudo on this laptop","secret":true}]}`), request: `"client":{"questions":true}`},
		"what is not":     {sent: frameOf(socketwire.CreateSession, `{"token":"x"}`)},
		"what is unknown": {sent: frameOf(0x7f, "x")},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.request == "" {
				tt.request = `"client":{}`
			}
			h := &hostile{frames: []socketwire.Frame{tt.sent, frameOf(socketwire.PtyOutput, "the last one")}}
			p := attach(t, serve(t, h, all), frameOf(socketwire.AttachSession, `{"name":"a",`+tt.request+`}`), attachedterm.Options{By: all, Session: "a"})
			var got []string
			for !tt.ends && (len(got) == 0 || !strings.Contains(got[len(got)-1], "the last one")) || tt.ends && len(got) == 0 {
				f := wait.For(t, "a frame", p.got)
				got = append(got, fmt.Sprintf("%02x %s", byte(f.Kind), f.Content))
			}
			switch {
			case tt.ends:
				if !strings.HasPrefix(got[0], "07 ") || !strings.Contains(got[0], tt.got[3:]) {
					t.Errorf("%q", got)
				}
				wait.For(t, "the end", p.gone)
			case tt.got == "" && len(got) != 1, tt.got != "" && (len(got) != 2 || !strings.HasPrefix(got[0], tt.got)):
				t.Errorf("%q", got)
			}
		})
	}
}

func frameOf(k socketwire.Kind, content string) socketwire.Frame {
	return socketwire.Frame{Kind: k, Content: []byte(content)}
}

// TestHostileAnswers has a host describe its sessions: texts are harmless, and what takes too much
// memory is refused before it is read.
func TestHostileAnswers(t *testing.T) {
	load.Sequential(t)
	evil := "a\x1b]52;c;QQ==\x07\u202e\n"
	s := wire.Session{Name: evil, ID: evil, Server: evil, Command: "a\nb", Leader: &evil, Tags: []string{evil}, Title: evil, State: evil, Keyboard: evil, Attached: []wire.Client{{Name: evil, Kind: evil, Rights: []string{evil}}}}
	h := &hostile{sessions: []wire.Session{s}, events: []wire.Lifecycle{{Event: evil, Params: wire.LifecycleParams{Session: s, OldName: evil, NewName: evil, Added: []string{evil}, Removed: []string{evil}}}}}
	host := serve(t, h, all)
	list := func() ([]wire.Session, error) {
		return terminals.ListSessions.Do(t.Context(), host, all, terminals.SessionFilter{})
	}
	sessions, err := list()
	if err != nil {
		t.Fatal(err)
	}
	follow := func() ([]wire.Lifecycle, error) {
		f, err := terminals.Follow.Open(t.Context(), host, all, terminals.None{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		c, err := f.Next(t.Context())
		return c.Events, err
	}
	events, err := follow()
	if err != nil {
		t.Fatal(err)
	}
	for _, got := range []any{sessions, events} {
		text, err := json.Marshal(got)
		if err != nil || strings.Contains(string(text), `\u001b`) || strings.Contains(string(text), "\u202e") || strings.Count(string(text), `\n`) != 1 || !strings.Contains(string(text), "a]52") {
			t.Errorf("%s, %v", text, err)
		}
	}
	for name, many := range map[string][]wire.Session{
		"long":  {{Title: strings.Repeat("x", 5<<20)}},
		"small": make([]wire.Session, 70_000), // with all their members, they are longer than that
	} {
		events := make([]wire.Lifecycle, len(many))
		events[0].Params.Session = many[0]
		h.says(many, events)
		if _, err := list(); fault.KindOf(err) != fault.Exhausted || !strings.Contains(err.Error(), "4 MiB") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := follow(); fault.KindOf(err) != fault.Exhausted {
			t.Errorf("events, %s: %v", name, err)
		}
	}
}

// What other hosts are asked for again and again takes no more memory than its length allows to
// expect: answers of these lengths, decoded, would take up to a gigabyte.
func TestCrowdedAnswers(t *testing.T) {
	load.Sequential(t)
	const many = 1 << 20
	for _, tt := range []struct {
		o    *terminals.Operation
		sent string
	}{
		{&terminals.ListSessions.Operation, "[" + strings.Repeat("{},", many) + "{}]"},
		{&terminals.ListSessions.Operation, "[" + strings.Repeat("0,", many) + "0]"},
		{&terminals.ListSessions.Operation, `[{"name":"\\","tags":[` + strings.Repeat("null,", many/2) + "null]}]"},
		{&terminals.GetScreen.Operation, `{"lines":[` + strings.Repeat("{},", many) + "{}]}"},
		{&terminals.GetServer.Operation, `{"labels":[` + strings.Repeat(`"",`, many) + `""]}`},
		{&terminals.FollowQuestions.Operation, `{"asked":{"question":{"options":[` + strings.Repeat("{},", many) + "{}]}}}"},
	} {
		_, out := tt.o.New()
		if tt.o == &terminals.FollowQuestions.Operation {
			out = &terminals.QuestionNews{}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := Decode(tt.o, []byte(tt.sent), out)
		runtime.ReadMemStats(&after)
		if n := (after.TotalAlloc - before.TotalAlloc) >> 20; err == nil || n > 8 {
			t.Errorf("%s, %.60s…: %d MiB, %v", tt.o.Name, tt.sent, n, err)
		}
	}
	for o, most := range map[*terminals.Operation]int{&terminals.ListSessions.Operation: 4 << 20, &terminals.FollowQuestions.Operation: 6 << 20} {
		if n := Limit(o); n > most {
			t.Errorf("%s: answers of %d bytes are read", o.Name, n)
		}
	}
	var sessions []wire.Session
	if err := Decode(&terminals.ListSessions.Operation, []byte(`[{"title":"`+strings.Repeat(",[{", many)+`"},{}]`), &sessions); err != nil || len(sessions) != 2 {
		t.Errorf("%d sessions, %v", len(sessions), err)
	}
	asked := terminals.QuestionNews{Asked: &terminals.OpenQuestion{}}
	asked.Asked.Question.Options = make([]question.Option, question.MaxOptions)
	text, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	var news terminals.QuestionNews
	if err := Decode(&terminals.FollowQuestions.Operation, text, &news); err != nil || len(news.Asked.Question.Options) != question.MaxOptions {
		t.Errorf("the longest honest question: %+v, %v", news, err)
	}
}

// A page displays the questions of its own server, also where the session's name says the host.
// What another host asks is in the picture, also on a page.
func TestQuestionAtAttached(t *testing.T) {
	for name, elsewhere := range map[string]bool{"host/new": false, "build1/new": true} {
		t.Run(name, func(t *testing.T) {
			l := opcases.New(t, opcases.Case{})
			if _, err := terminals.CreateSession.Do(t.Context(), l, all, terminals.NewSession{Name: "new", Command: "here> ", AskToType: true}); err != nil {
				t.Fatal(err)
			}
			on, o, shows := terminals.Terminals(l), attachedterm.Options{By: all}, socketwire.Question
			if elsewhere {
				on, o.Prefix, shows = serve(t, l, all), "build1/", socketwire.PtyOutput
			}
			p := attach(t, on, frameOf(socketwire.AttachSession, `{"name":"`+name+`","rows":20,"cols":70,"client":{"kind":"page","Questions":true}}`), o)
			p.await(t, socketwire.PtyOutput, "here>")
			asked := make(chan struct{})
			ctx, giveUp := context.WithCancel(t.Context())
			defer giveUp()
			go func() {
				defer close(asked)
				program := terminals.Grant{Rights: terminals.AllRights, From: core.Sender{Kind: core.SenderMCP, Name: "agent"}}
				_, _ = terminals.SendInput.Do(ctx, l, program, terminals.Input{Target: terminals.Target{Session: "new"}, Data: []byte("x")})
			}()
			for {
				f := wait.For(t, "the question", p.got)
				if f.Kind != socketwire.PtyOutput && f.Kind != shows {
					t.Fatalf("%02x %s", byte(f.Kind), f.Content)
				}
				if strings.Contains(string(f.Content), "type in the terminal") {
					if f.Kind != shows {
						t.Errorf("in a frame %02x", byte(f.Kind))
					}
					break
				}
			}
			_ = p.Close()
			giveUp() // a question whose terminal has gone waits for another one
			wait.For(t, "the end of the call", asked)
		})
	}
}

// A host gets no replies to questions of this server, which a page sends beside what is typed.
func TestRepliesStayHere(t *testing.T) {
	h := &hostile{frames: []socketwire.Frame{frameOf(socketwire.PtyOutput, "here>")}, read: make(chan socketwire.Frame, 10)}
	p := attach(t, serve(t, h, all), frameOf(socketwire.AttachSession, `{"name":"a","client":{"questions":true}}`), attachedterm.Options{By: all, Session: "a"})
	p.await(t, socketwire.PtyOutput, "here>")
	p.sent <- frameOf(socketwire.Question, `{"type":"answer","id":"X","action":"answer","text":"a secret"}`)
	p.sent <- frameOf(socketwire.StdinInput, "k")
	if f := wait.For(t, "what the host reads", h.read); f.Kind != socketwire.StdinInput || string(f.Content) != "k" {
		t.Errorf("the host reads %02x %s", byte(f.Kind), f.Content)
	}
}

// A page whose person may answer gets what others ask from its own server while it displays a
// session of another host. No other client does.
func TestPageIsAskedHere(t *testing.T) {
	reads := all
	reads.Rights &^= terminals.Type
	some := all
	some.Sessions = []string{"a"}
	for name, tt := range map[string]struct {
		client string
		o      attachedterm.Options
		want   bool
	}{
		"a page":            {`{"questions":true}`, attachedterm.Options{By: all}, true},
		"a terminal":        {`{}`, attachedterm.Options{By: all}, false},
		"it looks":          {`{"questions":true,"read_only":true}`, attachedterm.Options{By: all}, false},
		"a program's":       {`{"questions":true}`, attachedterm.Options{By: all, Untrusted: true}, false},
		"it may not type":   {`{"questions":true}`, attachedterm.Options{By: reads}, false},
		"for some sessions": {`{"questions":true}`, attachedterm.Options{By: some}, false},
	} {
		t.Run(name, func(t *testing.T) {
			g := &guest{received: make(chan string, 1), left: make(chan struct{})}
			joined := false
			tt.o.Session, tt.o.Join = "a", func(deliver func([]byte)) attachedterm.Guest {
				joined = true
				go deliver([]byte("asked"))
				return g
			}
			h := &hostile{frames: []socketwire.Frame{frameOf(socketwire.PtyOutput, "here>")}}
			p := attach(t, serve(t, h, all), frameOf(socketwire.AttachSession, `{"name":"a","client":`+tt.client+`}`), tt.o)
			p.await(t, socketwire.PtyOutput, "here>")
			if joined != tt.want {
				t.Fatalf("asked: %v", joined)
			}
			if !tt.want {
				return
			}
			p.await(t, socketwire.Question, "asked")
			p.sent <- frameOf(socketwire.Question, "reply")
			if got := wait.For(t, "the reply", g.received); got != "reply" {
				t.Errorf("%q", got)
			}
			p.await(t, socketwire.Question, "verdict")
			_ = p.Close()
			wait.For(t, "the page leaves", g.left)
		})
	}
}

type guest struct {
	received chan string
	left     chan struct{}
}

func (g *guest) Receive(msg []byte) ([]byte, error) {
	g.received <- string(msg)
	return []byte("verdict"), nil
}

func (g *guest) Leave() { close(g.left) }

// Whatever another host reports, callers hear nothing that they would believe of this server, or of
// what was done, on its word: an operation fails as it can fail, or in a way that says nothing, and
// the text says who reports it.
func TestReported(t *testing.T) {
	load.Sequential(t)
	r := rand.New(rand.NewPCG(1, 2))
	details := []fault.Detail{
		"", terminals.Withdrawn, registry.Stopping, terminals.HostAway, terminals.HubAway, terminals.HostSilent, terminals.HostLacks, terminals.NotAllowed,
		terminals.ServerNotFound, terminals.ServerRegistered, terminals.NoToken, core.NotPermitted, term.NotQuiet, "auth_required", "invalid_request", "\x1b]52;c;AAAA\x07", "made_up",
	}
	own := map[fault.Detail]bool{terminals.Withdrawn: true, registry.Stopping: true, terminals.HostAway: true, terminals.HubAway: true}
	texts := []string{"", "your token was withdrawn", "\x1b]52;c;AAAA\x07\x9b\u202e", "a\nb\r\x00", strings.Repeat("long ", 1_000), "\xff\xfe"}
	for _, o := range terminals.All() {
		can := map[string]bool{fmt.Sprint(fault.Unreachable, terminals.HostSilent): true, fmt.Sprint(fault.Invalid, terminals.HostLacks): true}
		for _, f := range o.Failures() {
			if !own[f.Detail] {
				can[fmt.Sprint(f.Kind, f.Detail)] = true
				if err := reported("build1", o, fault.With(f.Detail, fault.New(f.Kind, "x"))); fault.KindOf(err) != f.Kind || fault.DetailOf(err) != f.Detail || err.Error() != "build1: x" {
					t.Errorf("%s: %v %q becomes %v (%v, %q)", o.Name, f.Kind, f.Detail, err, fault.KindOf(err), fault.DetailOf(err))
				}
			}
		}
		for kind := fault.Internal; kind <= fault.Unreachable; kind++ {
			for _, detail := range details {
				text := texts[r.IntN(len(texts))]
				err := reported("build1", o, fault.With(detail, fault.New(kind, "%s", text)))
				got, what := fault.KindOf(err), fault.DetailOf(err)
				switch {
				case what == "" && got == fault.Unreachable, what == "" && got == fault.Script, what != "" && !can[fmt.Sprint(got, what)]:
					t.Errorf("%s: %v %q becomes %v %q", o.Name, kind, detail, got, what)
				case what == terminals.HostSilent && !strings.Contains(err.Error(), maybe):
					t.Errorf("%s: %v %q becomes %v", o.Name, kind, detail, err)
				case !strings.HasPrefix(err.Error(), "build1: "), strings.ContainsFunc(err.Error(), func(c rune) bool { return c < ' ' || c >= 0x7f && c < 0xa0 || c == '\u202e' }), len(err.Error()) > 2200:
					t.Errorf("%s: the text %q becomes %.300q", o.Name, text, err)
				}
			}
		}
	}
}

// FuzzAnswers reads any bytes as what another host answers and delivers: no text of it disturbs
// others, but commands, typed texts, and the ends of lines of outputs.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte(`[{"name":"a\u001b","tags":["\u202e"],"attached":[{"name":"\u0007"}]}]`))
	f.Add([]byte(`[{"event":"x","params":{"name":"\u001b","old_name":"\u001b","added":["\u001b"]}}]`))
	f.Add([]byte(`[{"event":"line","index":1,"line":[{"text":"\u001b]52;c;AAAA\u0007"}]},{"event":"title","title":"\u001b"}]`))
	f.Add([]byte(`{"lines":["\u001b",[{"text":"\u001b"}]],"matches":[{"text":"\u001b"}],"text":"\u001b","line":"\u009b"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, o := range terminals.All() {
			_, out := o.New()
			switch o {
			case &terminals.Watch.Operation:
				out = new([]wire.Event)
			case &terminals.Follow.Operation:
				out = new([]wire.Lifecycle)
			}
			if out != nil && Decode(o, b, out) == nil {
				exempt(reflect.ValueOf(out))
				harmlessIn(t, out)
			}
		}
	})
}

// exempt empties the members that may be any text.
func exempt(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			exempt(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			exempt(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("foreign") != "" && v.Field(i).CanSet() {
				v.Field(i).SetString("")
			} else {
				exempt(v.Field(i))
			}
		}
	}
}

// harmlessIn fails if a text in a value disturbs others.
func harmlessIn(t *testing.T, v any) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			if strings.ContainsFunc(v, safetext.Disturbs) {
				t.Errorf("%q", v)
			}
		case []any:
			for _, one := range v {
				walk(one)
			}
		case map[string]any:
			for _, one := range v {
				walk(one)
			}
		}
	}
	var decoded any
	if err := json.Unmarshal(text, &decoded); err != nil {
		t.Fatal(err)
	}
	walk(decoded)
}
