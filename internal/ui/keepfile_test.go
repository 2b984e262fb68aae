package ui

import (
	"os"
	"testing"

	"ui-mcp/internal/ui/keep"
)

// What something else has written stays in place until it is read, unless the app has changes of
// its own, which are saved then.
func TestSaveLeavesWhatOthersWrote(t *testing.T) {
	for name, theirs := range map[string]string{"data": `{"format": 1, "data": {"a": 2}}`, "broken": `{"format": 1, "data": {`} {
		t.Run(name, func(t *testing.T) {
			f := &keptFile{base: t.TempDir(), name: "x", session: "1"}
			t.Cleanup(f.disown)
			doc, err := keep.Decode([]byte(`{"format": 1, "data": {"a": 1}}`))
			if err != nil {
				t.Fatal(err)
			}
			if s := f.save(doc, false); s.err != nil || s.left {
				t.Fatalf("the first save: %+v", s)
			}
			path := f.path(f.file())
			ours, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(theirs), 0o600); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				s := f.save(doc, false)
				if got, err := os.ReadFile(path); !s.left || len(s.aside) > 0 || f.looked != nil || string(got) != theirs {
					t.Errorf("without changes: %+v; the file is %q, %v", s, got, err)
				}
			}
			s := f.save(doc, true)
			if got, err := os.ReadFile(path); s.left || len(s.aside) != 1 || string(got) != string(ours) {
				t.Errorf("with changes: %+v; the file is %q, %v", s, got, err)
			}
		})
	}
}
