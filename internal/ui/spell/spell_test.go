package spell_test

import (
	"testing"

	"ui-mcp/internal/ui/spell"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"name", "email", "newName", "newEmail", "remove", "items", "isOpen", "summary", "a", "12"}
	for name, want := range map[string]string{
		"naem": "name", "nmae": "name", "Name": "name", "names": "name",
		"emial": "email", "newname": "newName", "item": "items", "isopen": "isOpen", "sumary": "summary",
		"name": "", "": "", "0": "", "x": "", "13": "12", "34": "", "telephone": "", "nothing": "",
	} {
		if got := spell.Nearest(name, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

func FuzzNearest(f *testing.F) {
	f.Add("name", "names")
	f.Add("é", "\xff")
	f.Fuzz(func(t *testing.T, name, candidate string) {
		if got := spell.Nearest(name, []string{candidate}); got != "" && (got != candidate || got == name) {
			t.Errorf("Nearest(%q, %q) = %q", name, candidate, got)
		}
	})
}
