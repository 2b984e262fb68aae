package hotload

import (
	"bytes"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/fsnotify/fsnotify"
	"github.com/google/go-cmp/cmp"
)

// However the system fails to send events, changes are noticed, and the log says how.
func TestPollsWithoutEvents(t *testing.T) {
	refused := errors.New("refused by the test")
	ended := func() source {
		events, errs := make(chan fsnotify.Event), make(chan error)
		close(events)
		close(errs)
		return deaf(events, errs)
	}
	tests := []struct {
		name   string
		source func() source
		reason string
	}{
		{"there is no notifier", func() source {
			return open(func() (*fsnotify.Watcher, error) { return nil, refused })
		}, "max_user_instances"},
		{"every folder is refused", func() source {
			src := deaf(nil, nil)
			src.add = func(string) error { return refused }
			return src
		}, "refused by the test"},
		{"a later folder is refused", func() source {
			src := deaf(nil, nil)
			src.add = func(dir string) error {
				if filepath.Base(dir) == "later" {
					return refused
				}
				return nil
			}
			return src
		}, "refused by the test"},
		{"the events end", ended, "stopped sending"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				batches := make(chan []Change, 10)
				var log bytes.Buffer
				w := startDeaf(t, Options{
					Roots:    []string{root},
					OnChange: func(c []Change) { batches <- c },
					Log:      slog.New(slog.NewTextHandler(&log, nil)),
				}, test.source())
				path := filepath.Join(root, "later", "a.lua")
				for _, content := range []string{"1", "22"} {
					write(t, path, content)
					if content == "1" { // also finds the folder that is refused
						if err := w.Look(t.Context(), true); err != nil {
							t.Fatal(err)
						}
					}
					if diff := cmp.Diff([]Change{{Path: path}}, receive(t, batches)); diff != "" {
						t.Errorf("batch (-want +got):\n%s", diff)
					}
				}
				w.Close()
				if got := log.String(); !strings.Contains(got, "every=2s") || !strings.Contains(got, test.reason) ||
					strings.Count(got, "\n") != 1 {
					t.Errorf("log = %q, want one line with every=2s and %q", got, test.reason)
				}
			})
		})
	}
}

// The log takes back that something cannot be watched.
func TestWatchedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refuse := true // changed while the watcher waits
		src := deaf(nil, nil)
		src.add = func(string) error {
			if refuse {
				return errors.New("refused by the test")
			}
			return nil
		}
		var log bytes.Buffer
		w := startDeaf(t, Options{
			Roots: []string{t.TempDir()}, OnChange: func([]Change) {}, Log: slog.New(slog.NewTextHandler(&log, nil)),
		}, src)
		synctest.Wait()
		refuse = false
		if err := w.Look(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(strings.TrimSpace(log.String()), `msg="all files can be watched and read again"`) {
			t.Errorf("log = %q", log.String())
		}
	})
}
