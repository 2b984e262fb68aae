package opcases

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/socketwire"
)

// Attached is a person's terminal that is attached to a session.
type Attached interface {
	Read(context.Context) (socketwire.Frame, error)
	Write(context.Context, socketwire.Frame) error
	Close() error
}

// An Attacher attaches a terminal to a session of l, with a caller's grant. request is the first
// frame.
type Attacher func(t *testing.T, l *terminals.Local, by terminals.Grant, session string, request socketwire.Frame) (Attached, error)

// A viewer is a person at an attached terminal.
type viewer struct {
	Attached
	t   *testing.T
	ctx context.Context
}

// next returns the content of the next frame of a kind that contains a text. It draws the pictures
// before it.
func (v viewer) next(k socketwire.Kind, text string) string {
	v.t.Helper()
	for {
		f, err := v.Read(v.ctx)
		switch {
		case err != nil:
			v.t.Fatalf("no frame %02x with %q: %v", byte(k), text, err)
		case f.Kind == k && strings.Contains(string(f.Content), text):
			return string(f.Content)
		case f.Kind == socketwire.Failed:
			v.t.Fatalf("no frame %02x with %q: %s", byte(k), text, f.Content)
		case f.Kind == socketwire.PtyOutput:
			v.send(socketwire.Drawn, "")
		}
	}
}

// send sends a frame. If it fails, so does reading.
func (v viewer) send(k socketwire.Kind, content string) {
	_ = v.Write(v.ctx, socketwire.Frame{Kind: k, Content: []byte(content)})
}

// Attach checks attached terminals, as far as every interface must have them.
func Attach(t *testing.T, attacher Attacher) {
	const request = `{"scrollback":"none","rows":5,"cols":25,"client":{"paced":true,"counts":true,"name":"me"}}`
	attach := func(t *testing.T, l *terminals.Local, by terminals.Grant) viewer {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		t.Cleanup(cancel)
		a, err := attacher(t, l, by, "a", socketwire.Frame{Kind: socketwire.AttachSession, Content: []byte(request)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = a.Close() })
		v := viewer{a, t, ctx}
		check(t, `{"name":"a","pid":4242,"client":"me"}`, v.next(socketwire.AttachSessionResponse, ""))
		v.next(socketwire.PtyOutput, "hello")
		v.send(socketwire.Drawn, "")
		return v
	}
	ends := func(t *testing.T, v viewer) {
		t.Helper()
		if f, err := v.Read(v.ctx); !errors.Is(err, io.EOF) {
			t.Errorf("after the last frame: %02x %s, %v", byte(f.Kind), f.Content, err)
		}
	}
	t.Run("types, and sees the newest picture", func(t *testing.T) {
		l := New(t, Case{})
		v := attach(t, l, terminals.Everything)
		v.send(socketwire.StdinInput, "typed")
		// In either order, and the picture is not drawn yet.
		for counted, pictured := false, false; !counted || !pictured; {
			f, err := v.Read(v.ctx)
			switch {
			case err != nil:
				t.Fatalf("counted %v, pictured %v: %v", counted, pictured, err)
			case f.Kind == socketwire.Typed:
				check(t, `{"bytes":5}`, string(f.Content))
				counted = true
			case f.Kind == socketwire.PtyOutput && strings.Contains(string(f.Content), "typed"):
				pictured = true
			case f.Kind == socketwire.PtyOutput:
				v.send(socketwire.Drawn, "")
			}
		}
		for range 100 {
			do(t, l, "input.send", `{"session":"a","data":"eHh4eA0="}`)
		}
		do(t, l, "input.send", `{"session":"a","data":"bmV3ZXN0"}`)
		pictures := 1
		for v.send(socketwire.Drawn, ""); !strings.Contains(v.next(socketwire.PtyOutput, ""), "newest"); v.send(socketwire.Drawn, "") {
			pictures++
		}
		if pictures > 50 { // the program may still have been answering
			t.Errorf("%d pictures for a hundred changes that were not drawn", pictures)
		}
		v.send(socketwire.Ping, "")
		v.next(socketwire.Pong, "")
		check(t, `{"rows":5,"cols":25,"clients":1,"attached":[{"name":"me"}]}`, do(t, l, "session.get", `{"session":"a"}`))
		do(t, l, "session.update", `{"session":"a","name":"b"}`)
		v.send(socketwire.Detach, "")
		check(t, `{"reason":"detached","name":"b"}`, v.next(socketwire.Detach, ""))
		ends(t, v)
	})
	for name, c := range map[string]struct{ op, in, end string }{
		"program ended":   {"session.signal", `{"session":"a","signal":"TERM"}`, `{"reason":"exited","code":143,"signal":"SIGTERM"}`},
		"client detached": {"session.detach", `{"session":"a"}`, `{"reason":"detached","name":"a"}`},
	} {
		t.Run(name, func(t *testing.T) {
			l := New(t, Case{})
			v := attach(t, l, terminals.Everything)
			do(t, l, c.op, c.in)
			check(t, c.end, v.next(socketwire.Detach, ""))
			ends(t, v)
		})
	}
	t.Run("looks only", func(t *testing.T) {
		l := New(t, Case{})
		v := attach(t, l, terminals.Grant{Rights: terminals.Read})
		v.send(socketwire.StdinInput, "typed")
		v.next(socketwire.Typed, "")
		v.send(socketwire.Lead, "")
		if f, err := v.Read(v.ctx); err != nil || f.Kind != socketwire.Failed {
			t.Errorf("it leads: %02x %s, %v", byte(f.Kind), f.Content, err)
		}
		if got := do(t, l, "session.typed", `{"session":"a"}`); strings.Contains(got, "me") {
			t.Error(got)
		}
		check(t, `{"rows":4,"cols":20,"attached":[{"name":"me","rights":["read"]}]}`, do(t, l, "session.get", `{"session":"a"}`))
	})
	t.Run("not covered any more", func(t *testing.T) {
		l := New(t, Case{})
		v := attach(t, l, terminals.Grant{Rights: terminals.Read | terminals.Type, Tags: []string{"x"}})
		do(t, l, "session.update", `{"session":"a","remove_tags":["x"]}`)
		for {
			f, err := v.Read(v.ctx)
			if err != nil {
				t.Fatalf("it ends without a word: %v", err)
			}
			if f.Kind == socketwire.Failed {
				check(t, `{"code":"session_not_found"}`, string(f.Content))
				break
			}
		}
		ends(t, v)
	})
	t.Run("refused", func(t *testing.T) {
		l := New(t, Case{})
		for session, kind := range map[string]fault.Kind{"none": fault.NotFound, "over": fault.Gone} {
			a, err := attacher(t, l, terminals.Everything, session, socketwire.Frame{Kind: socketwire.AttachSession, Content: []byte(request)})
			if err == nil {
				f, readErr := a.Read(t.Context())
				var in struct{ Code string }
				if readErr != nil || f.Kind != socketwire.Failed || json.Unmarshal(f.Content, &in) != nil || in.Code != errcode.Of(fault.New(kind, "")) {
					t.Errorf("%s: %02x %s, %v", session, byte(f.Kind), f.Content, readErr)
				}
				_ = a.Close()
			} else if fault.KindOf(err) != kind {
				t.Errorf("%s: %v", session, err)
			}
		}
	})
}
