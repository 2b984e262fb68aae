package mcpserver

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// A wire is a transport with a client at its other end that sends any bytes.
type wire interface {
	send(t *testing.T, message string)
	receive(t *testing.T) string
	// finish ends the session and returns what else the server said.
	finish(t *testing.T) []string
}

// wires are the transports, in the order of their names in transcripts.
var wires = []struct {
	name string
	open func(*testing.T, *Server) wire
}{
	{"stdio", func(t *testing.T, s *Server) wire { return stdioWire{serve(t, s, nil)} }},
	{"sse", func(t *testing.T, s *Server) wire { return openSSEWire(t, s, HTTPOptions{}) }},
	{"http", func(t *testing.T, s *Server) wire { return &httpWire{server: serveHTTP(t, s, HTTPOptions{})} }},
}

// TestTranscripts replays what clients send ("-> ") and compares what the server answers ("<- "),
// over every transport. An archive holds one session in each file. Where one makes sense over some
// transports only, its first line names them, as in "# stdio sse". To record one, write a bare "<-
// " for each answer that is due, and use -update, which takes the first transport's.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/transcripts/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := range ar.Files {
			f := &ar.Files[i]
			for j, name := range transports(t, string(f.Data)) {
				t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+f.Name+"/"+name, func(t *testing.T) {
					got := replay(t, openWire(t, name), string(f.Data))
					if *update && j == 0 {
						f.Data = []byte(got)
					} else if diff := cmp.Diff(strings.Split(string(f.Data), "\n"), strings.Split(got, "\n")); diff != "" {
						t.Errorf("-want +got:\n%s", diff)
					}
				})
			}
		}
		if *update {
			if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// transports are the names of those that a transcript is for.
func transports(t *testing.T, script string) (names []string) {
	t.Helper()
	for _, w := range wires {
		names = append(names, w.name)
	}
	first, _, _ := strings.Cut(script, "\n")
	only, ok := strings.CutPrefix(first, "# ")
	if !ok {
		return names
	}
	chosen := strings.Fields(only)
	for _, name := range chosen {
		if !slices.Contains(names, name) {
			t.Fatalf("%q: there is no transport %q", first, name)
		}
	}
	return chosen
}

func openWire(t *testing.T, name string) wire {
	for _, w := range wires {
		if w.name == name {
			return w.open(t, newTestServer(quiet()))
		}
	}
	panic(fmt.Sprintf("no transport %q", name))
}

// replay returns the transcript with the answers that were received.
func replay(t *testing.T, w wire, script string) string {
	var got strings.Builder
	for line := range strings.Lines(script) {
		text := strings.TrimSuffix(line, "\n")
		if sent, ok := strings.CutPrefix(text, "-> "); ok {
			w.send(t, sent)
		} else if strings.HasPrefix(text, "<-") {
			line = "<- " + w.receive(t) + "\n"
		}
		got.WriteString(line)
	}
	for _, extra := range w.finish(t) {
		got.WriteString("<- " + extra + "\n")
	}
	return got.String()
}

// stdioWire is a session over pipes.
type stdioWire struct{ *session }

func (w stdioWire) send(t *testing.T, message string) {
	t.Helper()
	w.session.send(t, message+"\n")
}
