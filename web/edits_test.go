package web_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/transport/httpui"
	"ui-mcp/internal/ui"
	"ui-mcp/web"
)

const editsApp = `
Person = session:prototype("Person", {id = "", text = ""})
EditsApp = session:prototype("EditsApp", {})
landed = {}
function Person:name(value)
  if value ~= nil then
    landed[#landed + 1] = self.id .. ":" .. value
    self.text = value
  end
  return self.text
end
if not session.reloading then
  people = {}
  for i = 1, 6 do people[i] = session:create(Person, {id = "p" .. i, text = "P" .. i}) end
  for i = 1, 6 do people[i].friend = people[i % 6 + 1] end
  edits = session:create(EditsApp, {current = people[1], a = {people[2], people[3]}, b = {}})
end
`

// control shows a person's name in a field, after the person's id.
func control(path string) string {
	return fmt.Sprintf(`<b ui-value="%sid"></b><input ui-value="%[1]sname()?access=rw">`, path)
}

// An editsWorld is an app, and a page that shows it.
type editsWorld struct {
	*testing.T
	dir     string
	engine  *ui.Engine
	session *ui.Session
	tab     *browser.Tab
}

func newEditsWorld(t *testing.T) *editsWorld {
	w := &editsWorld{T: t, dir: t.TempDir()}
	w.write("app.lua", editsApp)
	w.write("viewdefs/EditsApp.DEFAULT.html", `<template><div><p>`+control("current.")+`</p><div ui-view="current"></div>`+
		`<ul ui-viewlist="a"><li></li></ul><ol ui-viewlist="b"><li></li></ol></div></template>`)
	w.write("viewdefs/MCP.DEFAULT.html", `<template><div ui-view="value"></div></template>`)
	w.views(0)
	log := slog.New(slog.DiscardHandler)
	var err error
	if w.engine, err = ui.NewEngine(ui.Options{
		Dir: w.dir, Log: log, LuaTimeout: 10 * time.Second, Announce: func(ui.Announcement) {},
		Setup: func(b *ui.Bridge) error {
			b.Define("mcp", map[string]any{"type": "MCP"})
			return nil
		},
	}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.engine.Close)
	if w.session, err = w.engine.Open(t.Context(), "1"); err != nil {
		t.Fatal(err)
	}
	if err := w.session.Do(t.Context(), func(tx *ui.Tx) error { return tx.Display("edits") }); err != nil {
		t.Fatal(err)
	}
	client, err := fs.Sub(web.Dist, "dist")
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(httpui.NewUI(httpui.UIOptions{
		Sessions: httpui.LookupIn(w.engine.Session), HTML: t.TempDir(), Client: client, Log: log,
		Fallback: fstest.MapFS{"index.html": {Data: []byte(`<!doctype html><link rel="icon" href="data:,"><main ui-app></main><script src="/main.js"></script>`)}},
	}))
	t.Cleanup(srv.Close)
	w.tab = browser.New(t).Tab()
	w.tab.Open(srv.URL + "/1/")
	w.tab.Wait(`document.querySelector("ol")`)
	return w
}

func (w *editsWorld) write(name, content string) {
	w.Helper()
	file := filepath.Join(w.dir, "apps", "edits", name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		w.Fatal(err)
	}
}

// views writes a version of the view definitions of people.
func (w *editsWorld) views(version int) {
	w.Helper()
	w.write("viewdefs/Person.DEFAULT.html", fmt.Sprintf(`<template><p title="%d">%s</p></template>`, version, control("")))
	w.write("viewdefs/Person.list-item.html", fmt.Sprintf(`<template><li title="%d">%s%s</li></template>`, version, control(""), control("friend.")))
}

func (w *editsWorld) run(code string) json.RawMessage {
	w.Helper()
	var result json.RawMessage
	err := w.session.Do(w.Context(), func(tx *ui.Tx) (err error) {
		result, err = tx.Run(code)
		return err
	})
	if err != nil {
		w.Fatalf("%s: %v", code, err)
	}
	return result
}

// Random batches, edits and reconnections: every edit lands in the person that its field showed, or
// is offered back. Its twin without a browser is in internal/ui/variable.
func TestEditsLandWhereTheyWereTyped(t *testing.T) {
	load.Long(t, "TestAnotherObjectWhileInFlight has one edit")
	t.Parallel()
	for seed := range uint64(load.Count(1, 3)) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 2))
			w := newEditsWorld(t)
			const live = `document.documentElement.dataset.uiState === "live"`
			typed := map[string]string{} // person by token
			some := func(max int) string {
				var list []string
				for _, i := range rnd.Perm(6)[:rnd.IntN(max)] {
					list = append(list, fmt.Sprintf("people[%d]", i+1))
				}
				return "{" + strings.Join(list, ",") + "}"
			}
			for step := range 150 {
				switch n := rnd.IntN(50); {
				case n < 30: // the person adds a token to a field, and leaves it or not
					token := fmt.Sprintf("t%d;", step)
					id := browser.Eval[string](w.tab, fmt.Sprintf(`(() => {
						const all = [...document.querySelectorAll("main input")].filter((e) => e.previousElementSibling.textContent !== "");
						if (all.length === 0) return "";
						const e = all[%d %% all.length];
						e.focus();
						e.value += %q;
						e.dispatchEvent(new InputEvent("input", { bubbles: true }));
						if (%t) e.dispatchEvent(new Event("change", { bubbles: true }));
						return e.previousElementSibling.textContent;
					})()`, rnd.IntN(1000), token, rnd.IntN(2) == 0))
					if id != "" {
						typed[token] = id
					}
				case n < 36:
					w.run(fmt.Sprintf("edits.current = people[%d]", rnd.IntN(6)+1))
				case n < 40:
					w.run(fmt.Sprintf("edits.a, edits.b = %s, %s", some(4), some(4)))
				case n < 42:
					w.run("edits.a, edits.b = edits.b, edits.a")
				case n < 45:
					w.run(fmt.Sprintf("people[%d].friend = people[%d]", rnd.IntN(6)+1, rnd.IntN(6)+1))
				case n < 48:
					w.views(step)
					if err := w.engine.CatchUp(t.Context(), true); err != nil {
						t.Fatal(err)
					}
				default:
					w.tab.Run(`uiApp.disconnect()`)
					if rnd.IntN(2) == 0 {
						w.tab.Wait(live)
					}
				}
			}
			settled := live + ` && document.documentElement.dataset.uiPending === "0"`
			w.tab.Wait(settled)
			w.tab.Run(`for (const e of document.querySelectorAll("main input")) e.dispatchEvent(new FocusEvent("focusout", { bubbles: true }))`)
			w.tab.Wait(settled)

			var landed []string
			if err := json.Unmarshal(w.run("return landed"), &landed); err != nil {
				t.Fatal(err)
			}
			offered := browser.Eval[string](w.tab, `[...`+unsavedRoot+`.querySelectorAll(".text")].map((e) => e.textContent).join()`)
			arrived := map[string]bool{}
			for _, l := range landed {
				id, text, _ := strings.Cut(l, ":")
				for _, token := range strings.SplitAfter(text[len("P1"):], ";") {
					if token == "" {
						continue
					}
					if typed[token] != id {
						t.Errorf("%q was typed for %s and landed in %s", token, typed[token], id)
					}
					arrived[token] = true
				}
			}
			back := 0
			for token, id := range typed {
				switch {
				case arrived[token]:
				case strings.Contains(offered, token):
					back++
				default:
					t.Errorf("%q was typed for %s and is lost; offered is %s", token, id, offered)
				}
			}
			if len(arrived) == 0 || back == 0 {
				t.Errorf("of %d edits %d arrived and %d were offered back", len(typed), len(arrived), back)
			}
			t.Logf("of %d edits %d arrived and %d were offered back", len(typed), len(arrived), back)
		})
	}
}

// An edit that is too large for a message is refused alone, with a problem; what follows works.
func TestEditTooLarge(t *testing.T) {
	load.Long(t, "TestRefusedEdit has an edit that the server refuses")
	t.Parallel()
	w := newEditsWorld(t)
	w.tab.Run(`window.field = document.querySelector("main input");
		field.style.display = "none"; // the browser would take seconds to lay it out
		field.value = "x".repeat(33 << 20);
		field.dispatchEvent(new Event("change", { bubbles: true }))`)
	w.tab.Wait(`document.querySelector(".ui-unsaved").shadowRoot.querySelector("li")`)
	w.tab.Wait(`field.value === "P1"`)
	// So would it what is offered back.
	if got := browser.Eval[int](w.tab, unsavedRoot+`.querySelector(".text").textContent.length`); got > 3000 {
		t.Errorf("%d characters are displayed", got)
	}
	problems := func() string {
		list, err := w.session.Problems(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(list)
	}
	w.tab.Wait(`!document.querySelector(".ui-problems").hidden`)
	if got := problems(); !strings.Contains(got, "too large to send: at most 32 MiB") {
		t.Errorf("problems are %s", got)
	}
	// What fits arrives, though it is more than before.
	w.tab.Run(`field.value = "y".repeat(5 << 20);
		field.dispatchEvent(new Event("change", { bubbles: true }))`)
	w.tab.Wait(`document.documentElement.dataset.uiPending === "0" && field.value.length === 5 << 20`)
	if got := string(w.run("return #people[1].text")); got != fmt.Sprint(5<<20) {
		t.Errorf("%s characters arrived", got)
	}
}
