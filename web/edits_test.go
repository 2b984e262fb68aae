package web_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

const editsApp = `
Person = session:prototype("Person", {id = "", name_ = "", mail_ = ""})
EditsApp = session:prototype("EditsApp", {})
landed = {}
for _, field in ipairs {"name", "mail"} do
  Person[field] = function(self, value)
    if value ~= nil then
      landed[#landed + 1] = self.id .. "." .. field .. ":" .. value
      self[field .. "_"] = value
    end
    return self[field .. "_"]
  end
end
if not session.reloading then
  people = {}
  for i = 1, 6 do people[i] = session:create(Person, {id = "p" .. i, name_ = "P" .. i, mail_ = "P" .. i}) end
  for i = 1, 6 do people[i].friend = people[i % 6 + 1] end
  edits = session:create(EditsApp, {current = people[1], a = {people[2], people[3]}, b = {}})
end
`

// control shows a field of a person, after the person's id. It is data-of the path "..NAME".
func control(path, field, element string) string {
	return fmt.Sprintf(`<span><b ui-value="%sid"></b>`+element+`</span>`, path, field)
}

const (
	plainField    = `<input data-of="%[2]s" ui-value="%[1]s%[2]s()?access=rw">`
	secretField   = `<input type="password" data-of="%[2]s" ui-value="%[1]s%[2]s()?access=rw">`
	longField     = `<textarea data-of="%[2]s" ui-value="%[1]s%[2]s()?access=rw"></textarea>`
	keypressField = `<input data-of="%[2]s" ui-value="%[1]s%[2]s()?access=rw&keypress">`
	localField    = `<input data-of="%[2]s" name="%[2]s">` // without a binding
	localSecret   = `<input type="password" data-of="%[2]s" name="%[2]s">`
)

// someControls shows fields of a person and the friend, in a number, order, kind and nesting of
// their own.
func someControls(rnd *rand.Rand) string {
	var b strings.Builder
	all := []string{".name", ".mail", ".note", "friend.name", "friend.mail"}
	for n, i := range rnd.Perm(len(all))[:1+rnd.IntN(len(all))] {
		path, field, _ := strings.Cut(all[i], ".")
		if path != "" {
			path += "."
		}
		elements := []string{plainField, plainField, plainField, secretField, longField, keypressField}
		if field == "note" {
			elements = []string{localField, localField, localSecret}
		}
		html := control(path, field, elements[rnd.IntN(len(elements))])
		if rnd.IntN(3) == 0 {
			html = strings.Replace(html, "data-of", fmt.Sprintf(`id="f%d" data-of`, n), 1)
		}
		if rnd.IntN(3) == 0 {
			html = "<div>" + html + "</div>"
		}
		b.WriteString(html)
	}
	return b.String()
}

// An editsWorld is a world whose app shows people.
type editsWorld struct{ *world }

func newEditsWorld(t *testing.T) editsWorld {
	w := editsWorld{newWorld(t, "edits")}
	w.write("app.lua", editsApp)
	w.write("viewdefs/EditsApp.DEFAULT.html", `<template><div><p>`+control("current.", "name", plainField)+`</p><div ui-view="current"></div>`+
		`<ul ui-viewlist="a"><li></li></ul><ol ui-viewlist="b"><li></li></ol></div></template>`)
	w.views(control("", "name", plainField), control("", "name", plainField)+control("friend.", "name", plainField))
	w.open()
	w.tab.Wait(`document.querySelector("ol")`)
	return w
}

// views writes a version of the view definitions of people.
func (w editsWorld) views(view, row string) {
	w.Helper()
	w.write("viewdefs/Person.DEFAULT.html", "<template><section>"+view+"</section></template>")
	w.write("viewdefs/Person.list-item.html", "<template><li>"+row+"</li></template>")
}

// A displayed is a field in the page: the person whose it is by what it displays, and its text.
type displayed struct {
	Of, Text string
	Secret   bool
}

// note reports whether a field has no binding: it belongs to its view, whatever that displays.
func (d displayed) note() bool { return strings.HasSuffix(d.Of, ".note") }

// fields returns all fields in the page, and what is offered back with its full text.
func (w editsWorld) fields() (fields []displayed, offered []displayed) {
	w.Helper()
	fields = browser.Eval[[]displayed](w.tab, `[...document.querySelectorAll("main [data-of]")].map((e) => (
		{ of: e.previousElementSibling.textContent + "." + e.dataset.of, text: e.value, secret: e.type === "password" }))`)
	offered = browser.Eval[[]displayed](w.tab, `(() => {
		let copied;
		navigator.clipboard.writeText = async (text) => { copied = text; };
		return [...`+unsavedRoot+`.querySelectorAll("li")].map((li) => {
			[...li.querySelectorAll("button")].find((b) => b.textContent.startsWith("Cop")).click();
			return { of: "", text: copied, secret: li.querySelector(".text").textContent.startsWith("••") };
		});
	})()`)
	return fields, offered
}

// Random batches, edits, reconnections and versions of the view definitions: every edit lands in
// the field of the person that it was typed for, or is offered back. Until then, it is in no field
// of anything else, and what was typed as a password is not displayed. Its twin without a browser
// is in internal/ui/variable.
func TestEditsLandWhereTheyWereTyped(t *testing.T) {
	load.Long(t, "TestAnotherObjectWhileInFlight has one edit")
	t.Parallel()
	for seed := range uint64(load.Count(1, 3)) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 2))
			w := newEditsWorld(t)
			const live = `document.documentElement.dataset.uiState === "live"`
			typed := map[string]displayed{} // by token
			// landed returns where tokens have landed.
			landed := func() map[string]string {
				var list []string
				if err := json.Unmarshal(w.run("return landed"), &list); err != nil {
					t.Fatal(err)
				}
				arrived := map[string]string{}
				for _, l := range list {
					of, text, _ := strings.Cut(l, ":")
					for _, token := range strings.SplitAfter(text[len("P1"):], ";") {
						if token == "" {
							continue
						}
						if typed[token].Of != of {
							t.Fatalf("%q was typed for %s and landed in %s", token, typed[token].Of, of)
						}
						arrived[token] = of
					}
				}
				return arrived
			}
			// inPlace checks that what has not landed is in no field of anything else, and hidden.
			inPlace := func(when string) {
				fields, offered := w.fields()
				arrived := landed()
				for token, e := range typed {
					if arrived[token] != "" {
						continue
					}
					for _, f := range append(fields, offered...) {
						switch {
						case !strings.Contains(f.Text, token):
						case f.Of != "" && f.Of != e.Of && !(e.note() && f.note()):
							t.Fatalf("%s: %q was typed for %s and is in %s", when, token, e.Of, f.Of)
						case e.Secret && !f.Secret:
							t.Fatalf("%s: %q was typed as a password and is displayed", when, token)
						}
					}
				}
			}
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
					into := browser.Eval[displayed](w.tab, fmt.Sprintf(`(() => {
						const all = [...document.querySelectorAll("main [data-of]")].filter((e) => e.previousElementSibling.textContent !== "");
						if (all.length === 0) return { of: "" };
						const e = all[%d %% all.length];
						if (%t) e.focus();
						e.value += %q;
						e.dispatchEvent(new InputEvent("input", { bubbles: true }));
						if (%t) e.dispatchEvent(new Event("change", { bubbles: true }));
						return { of: e.previousElementSibling.textContent + "." + e.dataset.of, secret: e.type === "password" };
					})()`, rnd.IntN(1000), rnd.IntN(2) == 0, token, rnd.IntN(2) == 0))
					if into.Of != "" {
						typed[token] = into
					}
				case n < 36:
					w.run(fmt.Sprintf("edits.current = people[%d]", rnd.IntN(6)+1))
				case n < 38:
					w.run(fmt.Sprintf("edits.a, edits.b = %s, %s", some(4), some(4)))
				case n < 39:
					w.run("edits.a, edits.b = edits.b, edits.a")
				case n < 41:
					w.run(fmt.Sprintf("people[%d].friend = people[%d]", rnd.IntN(6)+1, rnd.IntN(6)+1))
				case n < 48:
					w.views(someControls(rnd), someControls(rnd))
					w.caughtUp()
					inPlace(fmt.Sprint("step ", step))
				default:
					w.tab.Run(`uiApp.disconnect()`)
					if rnd.IntN(2) == 0 {
						w.tab.Wait(live)
					}
				}
			}
			settled := live + ` && document.documentElement.dataset.uiPending === "0"`
			w.tab.Wait(settled)
			w.tab.Run(`for (const e of document.querySelectorAll("main [data-of]")) e.dispatchEvent(new FocusEvent("focusout", { bubbles: true }))`)
			w.tab.Wait(settled)
			inPlace("at the end")
			arrived := landed()
			_, offered := w.fields()
			var texts strings.Builder
			for _, o := range offered {
				texts.WriteString(o.Text + " ")
			}
			back := 0
			for token, e := range typed {
				switch {
				case arrived[token] != "":
				case strings.Contains(texts.String(), token):
					back++
				case !e.note(): // such a field ends with its view
					t.Errorf("%q was typed for %s and is lost; offered is %s", token, e.Of, &texts)
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
	if got := string(w.run("return #people[1].name_")); got != fmt.Sprint(5<<20) {
		t.Errorf("%s characters arrived", got)
	}
}
