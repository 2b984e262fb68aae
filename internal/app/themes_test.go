package app_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/app"
)

func TestThemes(t *testing.T) {
	h := newHarness(t, nil)
	want := func(when string, want app.Themes) {
		t.Helper()
		if diff := cmp.Diff(want, h.Themes()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", when, diff)
		}
	}
	want("at first", app.Themes{})
	h.write("html/themes/base.css", "")
	want("only what themes share", app.Themes{Names: []string{"base"}})
	h.write("html/themes/night.css", "")
	h.write("html/themes/air.css", "")
	h.write("html/themes/x\"y.css", "")
	h.write("html/themes/notes.txt", "")
	h.write("html/themes/folder.css/x", "")
	want("some", app.Themes{Names: []string{"base", "air", "night"}, Default: "air"})
	h.write("html/themes/lcars.css", "")
	want("the usual one", app.Themes{Names: []string{"base", "air", "lcars", "night"}, Default: "lcars"})
	h.write("storage/settings.json", `{"theme":"night","checkUpdate":true}`)
	want("a chosen one", app.Themes{Names: []string{"base", "air", "lcars", "night"}, Default: "night"})
	h.write("storage/settings.json", `{"theme":"base"}`)
	want("one that cannot be chosen", app.Themes{Names: []string{"base", "air", "lcars", "night"}, Default: "lcars"})
	h.write("storage/settings.json", `{`)
	want("broken settings", app.Themes{Names: []string{"base", "air", "lcars", "night"}, Default: "lcars"})
}
