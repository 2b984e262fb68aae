package hotload

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// Look applies all earlier changes at once, without waiting for a burst to settle.
func TestLook(t *testing.T) {
	dir := t.TempDir()
	var got []Change // written on the watcher's goroutine, read after Look
	w, err := New(Options{
		Roots: []string{dir}, Quiet: time.Hour, Max: time.Hour,
		OnChange: func(c []Change) { got = append(got, c...) },
	})
	if err != nil {
		t.Fatal(err)
	}
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
		if err := w.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, step.want) {
			t.Errorf("step %d: %v, want %v", i, got, step.want)
		}
	}
}

// Settle applies the changes that the system has reported, and only those.
func TestSettle(t *testing.T) {
	dir := t.TempDir()
	changed := make(chan []Change, 1)
	w, err := New(Options{
		Roots: []string{dir}, Quiet: time.Hour, Max: time.Hour,
		OnChange: func(c []Change) { changed <- c },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.lua"), []byte("1"), 0o644); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(10 * time.Second)
	for { // the system tells in its own time
		if err := w.Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		select {
		case <-changed:
			return
		default:
		}
		if time.Now().After(deadline) {
			t.Fatal("the change was never reported")
		}
	}
}

func TestLookAfterClose(t *testing.T) {
	w, err := New(Options{Roots: []string{t.TempDir()}, OnChange: func([]Change) {}})
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	if err := w.Look(t.Context()); err != nil {
		t.Errorf("Look = %v", err)
	}
}
