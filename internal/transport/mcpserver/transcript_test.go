package mcpserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// TestTranscripts replays what clients send ("-> ") and compares what the
// server answers ("<- "). An archive holds one session in each file. To record
// one, write a bare "<- " for each answer that is due, and use -update.
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
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+f.Name, func(t *testing.T) {
				got := replay(t, string(f.Data))
				if *update {
					f.Data = []byte(got)
				} else if diff := cmp.Diff(strings.Split(string(f.Data), "\n"), strings.Split(got, "\n")); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		}
		if *update {
			if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// replay returns the transcript with the answers that were received.
func replay(t *testing.T, script string) string {
	s := serve(t, newTestServer(quiet()), nil)
	var got strings.Builder
	for line := range strings.Lines(script) {
		text := strings.TrimSuffix(line, "\n")
		if sent, ok := strings.CutPrefix(text, "-> "); ok {
			s.send(t, sent+"\n")
		} else if strings.HasPrefix(text, "<-") {
			line = "<- " + s.receive(t) + "\n"
		}
		got.WriteString(line)
	}
	for _, extra := range s.finish(t) {
		got.WriteString("<- " + extra + "\n")
	}
	return got.String()
}
