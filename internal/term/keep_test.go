package term_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/testkit/wait"
)

// Those who follow all sessions learn of recordings that are started, stopped and removed.
func TestKeptRecordingIsReported(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	r := scripted(t, nil, newScript())
	s := create(t, r, registry.CreateOptions{Name: "a", Cols: 20, Rows: 4})
	changes := r.Watch()
	defer changes.Close()
	ctx, cancel := context.WithTimeout(t.Context(), wait.Patience)
	defer cancel()
	expect := func(what string, holds func(*record.Kept) bool) {
		t.Helper()
		for {
			events, _, err := changes.Next(ctx)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			if e := events[len(events)-1]; e.Change == registry.Switched && holds(e.Info.Recording) {
				return
			}
		}
	}
	if _, err := s.StartRecording(t.Context()); err != nil {
		t.Fatal(err)
	}
	expect("started", func(k *record.Kept) bool { return k != nil && k.Active })
	if _, err := s.Kept().Stop(); err != nil {
		t.Fatal(err)
	}
	expect("stopped", func(k *record.Kept) bool { return k != nil && !k.Active })
	must(t, s.Kept().Remove(t.Context(), ""))
	expect("removed", func(k *record.Kept) bool { return k == nil })
}

func TestKeptRecording(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	a := newScript()
	r := scripted(t, nil, a, newScript())
	s := create(t, r, registry.CreateOptions{Name: "a", Cols: 20, Rows: 4})
	fails := func(err error, kind fault.Kind, detail fault.Detail) {
		t.Helper()
		if err == nil || fault.KindOf(err) != kind || fault.DetailOf(err) != detail {
			t.Errorf("%v (%v, %q), want %v, %q", err, fault.KindOf(err), fault.DetailOf(err), kind, detail)
		}
	}
	read := func(offset int64) (string, record.Kept) {
		t.Helper()
		b := make([]byte, 1<<20)
		n, of, err := s.Kept().ReadAt("", b, offset)
		must(t, err)
		return string(b[:n]), of
	}
	a.say("before")
	started, err := s.StartRecording(t.Context())
	if err != nil || !started.Active || started.Since.IsZero() || started.Size == 0 {
		t.Fatalf("%+v, %v", started, err)
	}
	a.say("during")
	stopped, err := s.Kept().Stop()
	if err != nil || stopped.Active {
		t.Fatalf("%+v, %v", stopped, err)
	}
	a.say("after")
	text, of := read(0)
	if of != stopped || int64(len(text)) != of.Size || !strings.Contains(text, "before") || !strings.Contains(text, `"during"`) || strings.Contains(text, "after") {
		t.Errorf("%+v, want %+v: %s", of, stopped, text)
	}
	if rest, _ := read(10); rest != text[10:] {
		t.Errorf("from 10: %q", rest)
	}
	if rest, _ := read(1 << 40); rest != "" {
		t.Errorf("from far behind the end: %q", rest)
	}
	d, err := record.NewReader(strings.NewReader(text))
	if err != nil || d.Header.Cols != 20 {
		t.Errorf("it is no recording: %+v, %v", d, err)
	}

	// Another one replaces it, and ends with the program.
	if _, _, err := s.Kept().ReadAt(started.ID, nil, 0); err != nil {
		t.Error(err)
	}
	second, err := s.StartRecording(t.Context())
	if err != nil || second.ID == started.ID {
		t.Fatalf("%+v, %v", second, err)
	}
	_, _, err = s.Kept().ReadAt(started.ID, nil, 0)
	fails(err, fault.NotFound, record.NoRecording)
	a.say("second")
	a.end(tty.Exit{})
	<-s.Ended()
	if of, err = s.Kept().Stop(); err != nil || of.Active {
		t.Errorf("%+v, %v", of, err)
	}
	if text, _ = read(0); !strings.Contains(text, `"second"`) || strings.Contains(text, `"during"`) {
		t.Errorf("the second recording: %s", text)
	}
	_, err = s.StartRecording(t.Context())
	fails(err, fault.Gone, "")

	// It is removed with the session.
	create(t, r, registry.CreateOptions{Name: "a"})
	_, _, err = s.Kept().ReadAt("", make([]byte, 10), 0)
	fails(err, fault.Gone, "")
	if files, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(files) != 0 {
		t.Errorf("left behind: %v, %v", files, err)
	}
}

// A recording can be removed, also while it is written, and the session's description has what it
// keeps.
func TestRemoveRecording(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	a := newScript()
	r := scripted(t, func(c *registry.Config) { c.Recordings = 4000 }, a)
	s := create(t, r, registry.CreateOptions{Name: "a", Record: true})
	first := s.Info().Recording
	if first == nil || !first.Active || first.ID == "" || first.Size == 0 {
		t.Fatalf("from the start: %+v", first)
	}
	if err := s.Kept().Remove(t.Context(), "other"); fault.DetailOf(err) != record.NoRecording {
		t.Errorf("remove another recording: %v", err)
	}
	must(t, s.Kept().Remove(t.Context(), first.ID))
	if left := s.Info().Recording; left != nil {
		t.Errorf("after its removal: %+v", left)
	}
	if err := s.Kept().Remove(t.Context(), ""); fault.DetailOf(err) != record.NoRecording {
		t.Errorf("remove it twice: %v", err)
	}
	a.say("goes on")
	// The room is free again, for as many as are started one after another.
	for range 50 {
		k, err := s.StartRecording(t.Context())
		must(t, err)
		if i := s.Info().Recording; i == nil || i.ID != k.ID {
			t.Fatalf("description %+v, want %s", i, k.ID)
		}
		must(t, s.Kept().Remove(t.Context(), k.ID))
	}
	k, err := s.StartRecording(t.Context())
	must(t, err)
	a.end(tty.Exit{})
	<-s.Ended()
	if i := s.Info().Recording; i == nil || i.ID != k.ID {
		t.Errorf("after the end: %+v", i)
	}
	must(t, r.Remove(s))
	if files, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(files) != 0 {
		t.Errorf("left behind: %v, %v", files, err)
	}
}

// Recordings share the bytes that a registry allows: they end when these are used up, and others
// begin only when some are given back.
func TestRecordingsShareRoom(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	a := newScript()
	r := scripted(t, func(c *registry.Config) { c.Recordings = 4000 }, a, newScript())
	one := create(t, r, registry.CreateOptions{Name: "one", Cols: 20, Rows: 4})
	two := create(t, r, registry.CreateOptions{Name: "two", Cols: 20, Rows: 4})
	fill := func() record.Kept {
		t.Helper()
		if _, err := one.StartRecording(t.Context()); err != nil {
			t.Fatal(err)
		}
		for {
			a.say(strings.Repeat("x", 100))
			_, of, err := one.Kept().ReadAt("", nil, 0)
			must(t, err)
			if !of.Active {
				return of
			}
		}
	}
	if of := fill(); of.Size == 0 || of.Size > 4000 {
		t.Errorf("it ended with %d bytes", of.Size)
	}
	if of, err := one.Kept().Stop(); fault.KindOf(err) != fault.Exhausted || of.Active {
		t.Errorf("StopRecording = %+v, %v", of, err)
	}
	// The remaining bytes do not suffice for another one.
	if _, err := two.StartRecording(t.Context()); err != nil && fault.KindOf(err) != fault.Exhausted {
		t.Errorf("without room: %v", err)
	} else if of, err := two.Kept().Stop(); err == nil && of.Size > 300 {
		t.Errorf("without room: %+v", of)
	}
	fill() // in the place of the first one
	must(t, r.Remove(one))
	if _, err := two.StartRecording(t.Context()); err != nil {
		t.Fatal(err)
	}
	if of, err := two.Kept().Stop(); err != nil || of.Size == 0 {
		t.Errorf("with room again: %+v, %v", of, err)
	}
}

// A recording from the start has the first byte of output, and ends with the program.
func TestRecordedFromStart(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	a := newScript()
	r := scripted(t, nil, a, newScript())
	s := create(t, r, registry.CreateOptions{Name: "a", Cols: 20, Rows: 4, Record: true})
	if _, of, err := s.Kept().ReadAt("", nil, 0); err != nil || of.Size == 0 {
		t.Errorf("before the first output: %+v, %v", of, err)
	}
	text := func() string {
		b := make([]byte, 1<<20)
		n, _, err := s.Kept().ReadAt("", b, 0)
		must(t, err)
		return string(b[:n])
	}
	a.say("first")
	wait.Until(t, "the first output", func() bool { return strings.Contains(text(), `"first"`) })
	if _, rest, _ := strings.Cut(text(), "\n"); strings.Count(rest, "\n") != 1 {
		t.Errorf("there is more than the first output: %s", rest)
	}
	a.say("last")
	a.end(tty.Exit{})
	wait.Until(t, "the end", func() bool { return strings.Contains(text(), `"last"`) && !s.Info().Recording.Active })
	if _, _, err := s.Kept().ReadAt("other", nil, 0); fault.DetailOf(err) != record.NoRecording {
		t.Errorf("another recording: %v", err)
	}
	if _, _, err := create(t, r, registry.CreateOptions{Name: "b"}).Kept().ReadAt("", nil, 0); fault.DetailOf(err) != record.NoRecording {
		t.Errorf("no recording: %v", err)
	}
}
