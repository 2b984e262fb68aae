package app_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/app"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/lua/async"
)

func TestProjectSettings(t *testing.T) {
	answer := func(context.Context, async.Request) (async.Response, error) { return async.Response{Status: 200}, nil }
	for _, c := range []struct {
		name, config string
		change       func(*app.Options)
		code, want   string // the result, or a part of the error
	}{
		{"none", "", nil, "return 1", "1"},
		{"time", `{"lua_timeout": "200ms"}`, func(o *app.Options) { o.LuaTimeout = 0 }, "while true do end", "stopped after 200ms"},
		{"the command line goes first", `{"lua_timeout": "1h"}`, func(o *app.Options) { o.LuaTimeout = 300 * time.Millisecond }, "while true do end", "stopped after 300ms"},
		{"memory", `{"lua_memory": 8}`, nil, "local t = {} for i = 1, 1e9 do t[i] = {} end", "more than 8 MiB"},
		{"no requests", `{"http": false}`, func(o *app.Options) { o.HTTP = answer }, `session:http("http://example.org/")`, "switched off"},
		{"requests", `{"http": true, "exec": true}`, func(o *app.Options) { o.HTTP = answer }, `session:http("http://example.org/") return 1`, "1"},
		{"what is switched off stays so", `{"exec": true}`, nil, `session:exec({"ls"})`, "switched off"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t, c.change)
			if c.config != "" {
				h.write("config.json", c.config)
			}
			if _, err := h.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			ran, err := h.Run(t.Context(), "1", c.code)
			if got := string(ran.Result); got != c.want && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%s, %v; want %s", got, err, c.want)
			}
		})
	}
}

// An invalid configuration is an error that names the file, and changes nothing.
func TestBadSettings(t *testing.T) {
	for config, want := range map[string]string{
		`{`:                       "config.json: unexpected EOF. The settings are",
		"{\n\"http\": true,\n}":   "invalid character '}'",
		`[]`:                      "cannot unmarshal array",
		"{\n \"lua_timeout\": 5}": `lua_timeout`,
		"{\n\n \"exec\": \"no\"}": "exec of type bool",
		`{"lua_memory": 1.5}`:     "lua_memory of type int64",
		`{"lua_timeout": "soon"}`: `lua_timeout must be a time above 0`,
		`{"lua_timeout": "-1s"}`:  `lua_timeout must be a time above 0`,
		`{"ask_prompts": "some"}`: `ask_prompts, "off", "secrets" or "all"`,
		`{"lua_memory": -1}`:      `lua_memory must be between`,
		`{"lua_memery": 1}`:       `unknown field "lua_memery". The settings are lua_timeout`,
		`{} {}`:                   "text after",
		`{"exec": false}}`:        "text after",
	} {
		h := started(t, nil)
		h.want("x = 1 return x", "1")
		other := newHarness(t, nil)
		other.write("config.json", config)
		if _, err := other.Start(t.Context()); fault.KindOf(err) != fault.Precondition || !strings.Contains(err.Error(), want) {
			t.Errorf("Start with %s: %v", config, err)
		}
		if _, err := h.Configure(t.Context(), other.dir); fault.KindOf(err) != fault.Precondition || !strings.Contains(err.Error(), want) {
			t.Errorf("Configure with %s: %v", config, err)
		}
		h.want("return x", "1")
	}
}

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
