package mcpserver

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

// The SDK's information is for debugging; its warnings stay.
func TestQuieter(t *testing.T) {
	for level, want := range map[slog.Level]string{slog.LevelInfo: "WARN bad", slog.LevelDebug: "DEBUG note,WARN bad"} {
		var out bytes.Buffer
		log := quieter(slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: level})).With("a", 1).WithGroup("g"))
		log.Info("note")
		log.Warn("bad")
		var got []string
		for line := range strings.Lines(out.String()) {
			_, line, _ = strings.Cut(line, "level=")
			level, line, _ := strings.Cut(line, " msg=")
			message, _, _ := strings.Cut(strings.TrimSpace(line), " a=1")
			got = append(got, level+" "+message)
		}
		if got := strings.Join(got, ","); got != want {
			t.Errorf("%v: %q, want %q", level, got, want)
		}
	}
	if quieter(nil) != nil {
		t.Error("a logger from nothing")
	}
}
