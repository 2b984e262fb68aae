package web_test

import (
	"fmt"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/ui/viewdef"
)

// parsed is the definition of a template as a server sends it.
func parsed(t testing.TB, id int, key, html string) string {
	t.Helper()
	tmpl, err := viewdef.Parse(key, key+".html", "<template>"+html+"</template>")
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{"id":%d,%s}`, id, tmpl.Def)
}

// A versions is a page that shows one view of an object, of which the test saves other versions.
type versions struct {
	*page
	id, seq int
}

func showVersion(t *testing.T, html, values string) *versions {
	t.Helper()
	v := &versions{page: show(t, `null`), seq: 1}
	v.again(html, values)
	return v
}

// again shows the view as if it was the first.
func (v *versions) again(html, values string) {
	v.server.t.Helper()
	v.id, v.seq = 2, v.seq+1
	v.page.again(v.seq, v.seq, fmt.Sprintf(`[1,1,[[2,2,%s,22]]]`, values), def(1, "O", `<main data-ui='0'></main>`, `[[0,"view",""]]`), parsed(v.server.t, 2, "A.DEFAULT", html))
}

// save replaces the view definition.
func (v *versions) save(html, values string, more ...string) {
	v.server.t.Helper()
	v.id, v.seq = v.id+10, v.seq+1
	defs := append([]string{parsed(v.server.t, v.id, "A.DEFAULT", html)}, more...)
	v.send(`{"type":"batch","seq":%d,"defs":[%s],"ops":[["mount",1,0,[%d,%d,%s,22]]]}`, v.seq, strings.Join(defs, ","), v.id, v.id, values)
	v.at(v.seq)
}

// enter changes a field as typing does, apart from the focus: leaving a field sends its text.
func (v *versions) enter(selector, text string) {
	v.server.t.Helper()
	v.Run(fmt.Sprintf(`(() => {
		const e = document.querySelector(%q);
		if (e.type === "radio" || e.type === "checkbox") e.checked = %t;
		else e.value = %[3]q;
		e.dispatchEvent(new InputEvent("input", { bubbles: true }));
	})()`, selector, text == "on", text))
}

// fields is what the fields of the view hold.
const fields = `[...document.querySelectorAll("main input, main textarea, main select")]
	.map((e) => e.type === "radio" || e.type === "checkbox" ? (e.checked ? "on" : "off") : e.value).join()`

// While the person types, the agent saves another version of the view: the text goes to the field
// that has the same binding as written, or the same id, or is offered back.
func TestOtherVersion(t *testing.T) {
	load.Long(t, "TestTable saves a view")
	t.Parallel()
	const (
		name  = `<input ui-value="name">`
		mail  = `<input ui-value="mail">`
		radio = `<input type="radio" name="r" value="%s" ui-value="size">`
	)
	small, large := fmt.Sprintf(radio, "S"), fmt.Sprintf(radio, "L")
	v := showVersion(t, `<p></p>`, `[]`)
	for title, test := range map[string]struct {
		old, values   string
		into, text    string // a field, and what is typed into it
		next, values2 string
		fields        string
		offered       string // its text, "" for none
	}{
		"nothing moved":        {name + mail, `["n","m"]`, "input", "new", `<h1>x</h1>` + name + mail, `["n","m"]`, "new,m", ""},
		"removed":              {name + mail, `["n","m"]`, "input", "new", mail, `["m"]`, "m", "new"},
		"one before it":        {name, `["n"]`, "input", "new", mail + name, `["m","n"]`, "m,new", ""},
		"exchanged":            {name + mail, `["n","m"]`, "input", "new", mail + name, `["m","n"]`, "m,new", ""},
		"nested":               {name + mail, `["n","m"]`, "input", "new", mail + `<p><label>Name ` + name + `</label></p>`, `["m","n"]`, "m,new", ""},
		"another path":         {name, `["n"]`, "input", "new", mail, `["m"]`, "m", "new"},
		"other options":        {name, `["n"]`, "input", "new", `<input ui-value="name?access=rw">`, `["n"]`, "new", ""},
		"another kind":         {name, `["n"]`, "input", "new", `<textarea ui-value="name"></textarea>`, `["n"]`, "n", "new"},
		"same id":              {`<input id="a" ui-value="name">`, `["n"]`, "input", "new", mail + `<input id="a" ui-value="name?access=rw">`, `["m","n"]`, "m,new", ""},
		"id of another":        {`<input id="a" ui-value="name">`, `["n"]`, "input", "new", `<input id="a" ui-value="mail">`, `["m"]`, "m", "new"},
		"ids exchanged":        {`<input id="a" ui-value="name"><input id="b" ui-value="mail">`, `["n","m"]`, "input", "new", `<input id="a" ui-value="mail"><input id="b" ui-value="name">`, `["m","n"]`, "m,new", ""},
		"password":             {`<input type="password" ui-value="key">`, `[""]`, "input", "secret", `<input ui-value="key">`, `[""]`, "", "••••••••"},
		"password, same id":    {`<input id="a" type="password" ui-value="key">`, `[""]`, "input", "secret", `<input id="a" ui-value="key">`, `[""]`, "", "••••••••"},
		"password, upper case": {`<input type="PASSWORD" ui-value="key">`, `[""]`, "input", "secret", `<input type="Text" ui-value="key">`, `[""]`, "", "••••••••"},
		"password kept":        {`<input type="password" ui-value="key">`, `[""]`, "input", "secret", name + `<input type="password" ui-value="key">`, `["n",""]`, "n,secret", ""},
		"choice moved":         {small + large, `["",""]`, "[value=L]", "on", large + small, `["",""]`, "on,off", ""},
		"choice removed":       {small + large, `["",""]`, "[value=L]", "on", small, `[""]`, "off", "L"},
		"option removed": {`<select ui-value="s"><option>a</option><option>b</option></select>`, `["a"]`, "select", "b",
			`<select ui-value="s"><option>a</option><option>c</option></select>`, `["a"]`, "a", "b"},
		"bound no more":   {`<input name="x" ui-value="name">`, `["n"]`, "input", "new", `<input name="x">`, `[]`, "", "new"},
		"unbound":         {`<input name="q">` + name, `["n"]`, "input", "new", name + `<input name="q">`, `["n"]`, "n,new", ""},
		"unbound, double": {`<input name="q">`, `[]`, "input", "new", `<input name="q"><input name="q">`, `[]`, "new,", ""},
		"unbound, label": {`<label>From <input></label><label>To <input></label>`, `[]`, "label + label input", "new",
			`<label>To <input></label><label>Via <input></label>`, `[]`, "new,", ""},
		"unbound, gone":      {`<input name="q">`, `[]`, "input", "new", `<input name="z">`, `[]`, "", "new"},
		"unbound, id":        {`<input id="q" class="x"><input id="p" class="x">`, `[]`, "#q", "new", `<input id="p" class="x"><input id="q" class="y">`, `[]`, ",new", ""},
		"unbound, bound now": {`<input name="q">`, `[]`, "input", "new", `<input name="q" ui-value="name">`, `["n"]`, "n", "new"},
		"unbound password":   {`<input id="a" type="password">`, `[]`, "input", "secret", `<input id="a">`, `[]`, "", "••••••••"},
		"unbound choice":     {`<select name="s"><option>a</option><option>b</option></select>`, `[]`, "select", "b", `<p></p><select name="s"><option>b</option><option>a</option></select>`, `[]`, "b", ""},
		"with events": {`<input name="from" ui-event-blur="go()"><input name="to" ui-event-blur="go()">`, `[]`, "[name=from]", "new",
			`<input name="to" ui-event-blur="go()">`, `[]`, "", "new"},
		"unbound, untouched": {`<input name="q" type="range"><input name="c" type="color"><input name="z" value="z">` + name, `["n"]`, "[data-none], input:last-of-type", "n", name, `["n"]`, "n", ""},
	} {
		t.Run(title, func(t *testing.T) {
			v.again("<section>"+test.old+"</section>", test.values)
			if test.offered != "" && test.values == `[]` {
				v.Type(test.into, test.text) // without a binding, only trusted input tells whose the text is
			} else {
				v.enter(test.into, test.text)
			}
			v.save("<section>"+test.next+"</section>", test.values2)
			is(v.page, fields, test.fields)
			offered := browser.Eval[string](v.Tab, `[...`+unsavedRoot+`.querySelectorAll(".text")].map((e) => e.textContent).join()`)
			if offered != test.offered {
				t.Errorf("offered %q, want %q", offered, test.offered)
			}
			if got := browser.Eval[string](v.Tab, `document.body.innerText + `+unsavedRoot+`.textContent`); strings.Contains(got, "secret") {
				t.Errorf("the password is displayed: %s", got)
			}
			v.silent()
		})
	}
}

// What is offered back goes to the binding that it was typed for, in whatever place that is.
func TestPutBackInOtherVersion(t *testing.T) {
	t.Parallel()
	const name, mail, key = `<input ui-value="name">`, `<input ui-value="mail">`, `<input type="password" ui-value="key">`
	v := showVersion(t, "<p>"+name+mail+key+"</p>", `["n","m",""]`)
	v.enter("input", "new")
	v.enter("[type=password]", "secret")
	v.save("<p>"+mail+`<input ui-value="key"></p>`, `["m",""]`)
	v.wantUnsaved("Not saved | new", "Not saved | ••••••••")
	buttons := func(want string) {
		t.Helper()
		is(v.page, `[...`+unsavedRoot+`.querySelectorAll("button")].filter((b) => !b.hidden).map((b) => b.textContent).join()`, want)
	}
	buttons("Copy,Dismiss,Copy,Dismiss") // a password is not put where it would be displayed
	is(v.page, `[...`+unsavedRoot+`.querySelectorAll(".why")].map((e) => e.textContent).join()`,
		strings.Repeat(",The app has changed what is shown here.", 2)[1:]) // the field of the password is there, as another kind
	v.save("<p>"+mail+key+name+"</p>", `["m","","n"]`)
	buttons("Copy,Put back,Dismiss,Copy,Put back,Dismiss")
	v.press("Put back")
	v.expect(fmt.Sprintf(`{"type":"events","ref":1,"events":[[%d,2,"new"]]}`, v.id))
	v.press("Put back")
	v.expect(fmt.Sprintf(`{"type":"events","ref":2,"events":[[%d,1,"secret"]]}`, v.id))
	is(v.page, fields, "m,secret,new")
	v.wantUnsaved()

	// So does what was typed without a binding. Of what is on its way, the server says what became.
	v.save("<p>"+name+`<input name="q"></p>`, `["n"]`)
	v.expect(fmt.Sprintf(`{"type":"events","ref":3,"events":[[%d,0,"new"]]}`, v.id))
	v.Type("[name=q]", "seek")
	v.save("<p></p>", `[]`)
	v.wantUnsaved("Not saved: q | seek")
	v.send(`{"type":"ack","ref":1,"stale":[0]}`)
	v.send(`{"type":"ack","ref":2,"stale":[0]}`)
	v.send(`{"type":"ack","ref":3}`)
	v.settled()
	v.wantUnsaved("Not saved: q | seek", "Not saved | ••••••••")
	buttons("Copy,Dismiss,Copy,Dismiss")
	v.save(`<p><textarea></textarea><input name="q"></p>`, `[]`)
	v.press("Put back")
	is(v.page, fields, ",seek")
	v.wantUnsaved("Not saved | ••••••••")
	v.silent()
}

// Focus, selection, scroll positions and open folds follow their elements, too.
func TestStateInOtherVersion(t *testing.T) {
	t.Parallel()
	box := func(attributes string) string {
		return `<div ` + attributes + ` style="height: 40px; overflow: auto"><p style="height: 200px">tall</p></div>`
	}
	fold := func(attributes string) string {
		return `<details ` + attributes + `><summary>more</summary>x</details>`
	}
	button := func(action string) string { return `<button ui-action="` + action + `()">x</button>` }
	v := showVersion(t, `<section><input ui-value="name"><input ui-value="mail">`+box(`class="a"`)+box(`ui-class-x="big"`)+fold(`id="f"`)+fold(`class="g"`)+fold(`class="h"`)+fold(`class="h"`)+`</section>`,
		`["name","mail"]`)
	v.Run(`document.querySelector(".a").scrollTop = 30; document.querySelector(".a + div").scrollTop = 40;
		document.querySelector("#f").open = document.querySelector(".g").open = document.querySelector(".h").open = true`)
	v.enter("input:nth-of-type(2)", "a mail")
	v.Run(`document.querySelector("input:nth-of-type(2)").focus(); document.activeElement.setSelectionRange(1, 3, "backward")`)
	v.save(`<section>`+fold(`class="h"`)+fold(`class="h"`)+fold(`class="g"`)+fold(`class="g2" id="f"`)+box(`class="b"`)+box(`class="c" ui-class-x="big"`)+box(`class="a"`)+
		`<input ui-value="mail"><input ui-value="name">`+button("drop")+button("keep")+`</section>`, `["mail","name"]`)
	is(v.page, `document.activeElement === document.querySelector("input")`, true)
	is(v.page, `[document.activeElement.value, document.activeElement.selectionStart, document.activeElement.selectionEnd, document.activeElement.selectionDirection].join()`, "a mail,1,3,backward")
	is(v.page, `["a", "b", "c"].map((c) => document.querySelector("." + c).scrollTop).join()`, "30,0,40")
	is(v.page, `[...document.querySelectorAll("details")].map((d) => d.open).join()`, "true,false,true,true")

	// The key that the person is about to press is not meant for another button.
	v.Run(`document.querySelectorAll("button")[1].focus()`)
	v.save(`<section>`+button("keep")+button("drop")+`</section>`, `[]`)
	is(v.page, `document.activeElement === document.querySelector("button")`, true)
	v.save(`<section>`+button("drop")+`</section>`, `[]`)
	is(v.page, `document.activeElement === document.body`, true)
}

// A view inside the view keeps its state wherever the next version has it.
func TestViewsInOtherVersion(t *testing.T) {
	t.Parallel()
	inner := parsed(t, 5, "B.DEFAULT", `<p><input ui-value="name"><input name="q"></p>`)
	row := func(id, object int, name string) string { return fmt.Sprintf(`[5,%d,[%q],%d]`, id, name, object) }
	v := showVersion(t, `<section><div ui-view="a"></div><div ui-view="b"></div></section>`, `[]`)
	v.seq++
	v.send(`{"type":"batch","seq":%d,"defs":[%s],"ops":[["mount",2,0,%s],["mount",2,1,%s]]}`, v.seq, inner, row(3, 33, "a"), row(4, 34, "b"))
	v.at(v.seq)
	v.enter("p:nth-of-type(1) input", "for a")
	v.enter("p:nth-of-type(2) input", "for b")
	v.Type("p:nth-of-type(2) [name=q]", "seek")
	v.save(`<section><div ui-view="b"></div><div ui-view="a"></div></section>`, `[`+row(20, 34, "b")+`,`+row(21, 33, "a")+`]`)
	is(v.page, fields, "for b,seek,for a,")
	is(v.page, `document.activeElement.name`, "q")
	v.wantUnsaved()
	v.save(`<section><div ui-view="a"></div><i ui-view="c"></i></section>`, `[`+row(30, 33, "a")+`]`)
	is(v.page, fields, "for a,")
	v.wantUnsaved("Not saved | for b", "Not saved: q | seek")
}

// Two edits that are lost are offered as two, though they read the same.
func TestTwoLostEdits(t *testing.T) {
	t.Parallel()
	v := showVersion(t, `<p><label>Name <input ui-value="first"></label><label>Name <input ui-value="last"></label></p>`, `["",""]`)
	v.enter("label:first-child input", "Ann")
	v.enter("label:last-child input", "Ann")
	v.save(`<p></p>`, `[]`)
	v.wantUnsaved("Not saved: Name | Ann", "Not saved: Name | Ann")
}

// A choice that was lost goes back to the same choice.
func TestPutBackOfChoice(t *testing.T) {
	t.Parallel()
	const small, large = `<input type="radio" name="r" value="S" ui-value="size">`, `<input type="radio" name="r" value="L" ui-value="size">`
	v := showVersion(t, "<p>"+small+large+"</p>", `["",""]`)
	v.enter("[value=L]", "on")
	v.save("<p>"+small+"</p>", `[""]`)
	v.wantUnsaved("Not saved: r | L")
	v.save("<p>"+small+large+"</p>", `["",""]`)
	v.press("Put back")
	v.expect(fmt.Sprintf(`{"type":"events","ref":1,"events":[[%d,1,"L"]]}`, v.id))
	is(v.page, fields, "off,on")
	v.wantUnsaved()
}
