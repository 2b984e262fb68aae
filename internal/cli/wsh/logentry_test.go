package wsh

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Entries of a log come back as JSON, in whatever pieces the log is read.
func TestEntryWriter(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	l := slog.New(slog.NewTextHandler(&log, nil))
	l.Info("serving", "name", "work", "address", "127.0.0.1:8080")
	l.Warn("two words", "text", "a=b \"c\"\n", "an empty one", "", "key with = in it", 1)
	log.WriteString("panic: no entry\n\nlevel=\nlast line")
	for size := 1; size < 80; size += 13 {
		var out bytes.Buffer
		w := &entryWriter{out: &out}
		for rest := log.Bytes(); len(rest) > 0; {
			n := min(size, len(rest))
			if _, err := w.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := w.flush(); err != nil {
			t.Fatal(err)
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
			t.Errorf("in pieces of %d: -want +got:\n%s", size, diff)
		}
	}
}

func FuzzParseEntry(f *testing.F) {
	f.Add(`time=2026-01-01T00:00:00Z level=INFO msg="two words" a="b\n"`)
	f.Add(`a="`)
	f.Add(`=`)
	f.Fuzz(func(t *testing.T, line string) {
		var out bytes.Buffer
		w := &entryWriter{out: &out}
		if _, err := w.Write([]byte(line + "\n")); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if !json.Valid([]byte(line)) {
				t.Errorf("%q is no JSON", line)
			}
		}
	})
}
