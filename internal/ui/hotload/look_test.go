package hotload

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Look applies all earlier changes at once, without waiting for a burst to settle.
func TestLook(t *testing.T) {
	dir := t.TempDir()
	var got []Change // written on the watcher's goroutine, read after Look
	w := New(Options{
		Roots: []string{dir}, Quiet: time.Hour, Max: time.Hour,
		OnChange: func(c []Change) { got = append(got, c...) },
	})
	defer w.Close()
	file := filepath.Join(dir, "a.lua")
	for i, step := range []struct {
		do   func() error
		want []Change
	}{
		{func() error { return nil }, nil},
		{func() error { return os.WriteFile(file, []byte("1"), 0o644) }, []Change{{Path: file}}},
		{func() error { return os.WriteFile(file, []byte("22"), 0o644) }, []Change{{Path: file}}},
		{func() error { return os.Remove(file) }, []Change{{Path: file, Removed: true}}},
	} {
		got = nil
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		if err := w.Look(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, step.want) {
			t.Errorf("step %d: %v, want %v", i, got, step.want)
		}
	}
}

// Settle applies every change before the call, however late its event is.
func TestSettle(t *testing.T) {
	dir := t.TempDir()
	var got []Change // written on the watcher's goroutine, read after Settle
	w := New(Options{
		Roots: []string{dir}, Quiet: time.Hour, Max: time.Hour,
		OnChange: func(c []Change) { got = append(got, c...) },
	})
	defer w.Close()
	file := filepath.Join(dir, "a.lua")
	for i := range 200 {
		got = nil
		if err := os.WriteFile(file, fmt.Append(nil, i), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := w.Look(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, []Change{{Path: file}}) {
			t.Fatalf("after write %d: %v", i, got)
		}
		got = nil
		if err := w.Look(t.Context(), false); err != nil || got != nil {
			t.Fatalf("without a write: %v, %v", got, err)
		}
	}
}

// Without the events that tell the order, Settle looks at the files.
func TestSettleWithoutOrder(t *testing.T) {
	refused := errors.New("refused by the test")
	tests := map[string]struct {
		marker func(events chan fsnotify.Event, errs chan error) *marker
	}{
		"there is no marker": {func(chan fsnotify.Event, chan error) *marker { return nil }},
		"the marker cannot be set": {func(chan fsnotify.Event, chan error) *marker {
			return &marker{set: func() error { return refused }}
		}},
		"its event does not arrive": {func(chan fsnotify.Event, chan error) *marker {
			return &marker{name: "marker", set: func() error { return nil }}
		}},
		"events are lost": {func(_ chan fsnotify.Event, errs chan error) *marker {
			return &marker{name: "marker", set: func() error { errs <- fsnotify.ErrEventOverflow; return nil }}
		}},
		"events have ended": {func(events chan fsnotify.Event, _ chan error) *marker {
			return &marker{name: "marker", set: sync.OnceValue(func() error { close(events); return nil })}
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				events, errs := make(chan fsnotify.Event, 1), make(chan error, 1)
				src := deaf(events, errs)
				src.marker = test.marker(events, errs)
				var got []Change // written on the watcher's goroutine, read after Settle
				w := startDeaf(t, Options{
					Roots: []string{root}, Quiet: time.Hour, Max: time.Hour,
					OnChange: func(c []Change) { got = append(got, c...) },
				}, src)
				for i := range 3 {
					got = nil
					start := time.Now()
					write(t, filepath.Join(root, "a.lua"), fmt.Sprint(i))
					if err := w.Look(t.Context(), false); err != nil || len(got) != 1 {
						t.Errorf("change %d: %v, %v", i, got, err)
					}
					if took := time.Since(start); i > 0 && took > 0 {
						t.Errorf("change %d: waited %v", i, took)
					}
				}
				w.Close()
			})
		})
	}
}

func TestLookAfterClose(t *testing.T) {
	w := New(Options{Roots: []string{t.TempDir()}, OnChange: func([]Change) {}})
	w.Close()
	if err := w.Look(t.Context(), true); err != nil {
		t.Errorf("Look = %v", err)
	}
}
