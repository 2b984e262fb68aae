package wsh

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/files"
)

// Entries of a log come back as JSON.
func TestLogEntries(t *testing.T) {
	t.Parallel()
	var log, out bytes.Buffer
	l := slog.New(slog.NewTextHandler(&log, nil))
	l.Info("serving", "name", "work", "address", "127.0.0.1:8080")
	l.Warn("two words", "text", "a=b \"c\"\n", "an empty one", "", "key with = in it", 1)
	log.WriteString("panic: no entry\n\nlevel=\nlast line")
	for line := range strings.Lines(log.String()) {
		if err := (logsCommand{JSON: true}).print(caller.Env{Streams: commandline.Streams{Out: &out}}, line); err != nil {
			t.Fatal(err)
		}
	}
	var got []map[string]string
	for line := range strings.Lines(out.String()) {
		var entry map[string]string
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		delete(entry, "time")
		got = append(got, entry)
	}
	want := []map[string]string{
		{"level": "INFO", "msg": "serving", "name": "work", "address": "127.0.0.1:8080"},
		{"level": "WARN", "msg": "two words", "text": "a=b \"c\"\n", "an empty one": "", "key with = in it": "1"},
		{"msg": "panic: no entry"},
		{"level": ""},
		{"msg": "last line"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func FuzzParseEntry(f *testing.F) {
	f.Add(`time=2026-01-01T00:00:00Z level=INFO msg="two words" a="b\n"`)
	f.Add(`a="`)
	f.Add(`=`)
	f.Fuzz(func(t *testing.T, line string) {
		var out bytes.Buffer
		if err := (logsCommand{JSON: true}).print(caller.Env{Streams: commandline.Streams{Out: &out}}, line+"\n"); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if !json.Valid([]byte(line)) {
				t.Errorf("%q is no JSON", line)
			}
		}
	})
}

// A log that gets another name while it is followed is printed to its end, and then the next one.
func TestLogsFollowed(t *testing.T) {
	t.Parallel()
	vars := environ.Variables{"XDG_RUNTIME_DIR=" + t.TempDir()}
	out, w := io.Pipe()
	e := caller.Env{Streams: commandline.Streams{Out: w, Err: io.Discard}, Vars: vars, Where: caller.Where{ServerName: "a"}}
	folder, err := e.NewFolder()
	if err != nil {
		t.Fatal(err)
	}
	path := folder.LogFile("a")
	add := func(text string) {
		log := files.Log{Path: func() string { return path }, Most: 1 << 20, Mode: 0o600}
		if err := log.Append([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	add("one\n")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- logsCommand{Follow: true}.Run(ctx, e) }()
	lines := bufio.NewReader(out)
	for i, want := range []string{"one\n", "two\n", "three\n"} {
		if got, err := lines.ReadString('\n'); got != want || err != nil {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
		if i == 0 {
			add("two\n")
			if err := os.Rename(path, path+".1"); err != nil {
				t.Fatal(err)
			}
			add("three\n")
		}
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
