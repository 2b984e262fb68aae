//go:build unix

package evals

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/wait"
)

// A probe stands in for a test where a failure is a result: what fails ends the attempt, not the
// test.
type probe struct {
	testing.TB
	mu      sync.Mutex // guards failure
	failure string
	ends    []func()
}

func (p *probe) Helper()                   {}
func (p *probe) Log(...any)                {}
func (p *probe) Logf(string, ...any)       {}
func (p *probe) Failed() bool              { return false }
func (p *probe) Cleanup(f func())          { p.ends = append(p.ends, f) }
func (p *probe) Error(a ...any)            { p.Errorf("%s", fmt.Sprint(a...)) }
func (p *probe) Fatal(a ...any)            { p.Fatalf("%s", fmt.Sprint(a...)) }
func (p *probe) Fatalf(f string, a ...any) { p.Errorf(f, a...); runtime.Goexit() }

func (p *probe) Errorf(format string, a ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failure == "" {
		p.failure = fmt.Sprintf(format, a...)
	}
}

// attempt runs f, and returns why it failed, or "".
func (p *probe) attempt(f func()) string {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	<-done
	p.mu.Lock()
	defer p.mu.Unlock()
	failure, _, _ := strings.Cut(p.failure, "\npage: ") // the rest describes the page, for debugging
	p.failure = ""
	return failure
}

// close runs what was registered with Cleanup.
func (p *probe) close() {
	for _, end := range slices.Backward(p.ends) {
		p.attempt(end)
	}
}

// A person uses what an agent has made, in a browser, and finds things as people do: by what they
// are called and by what is visible. An error ends the attempt of the probe.
type person struct {
	*probe
	place     *workplace
	browser   *browser.Browser
	patience  time.Duration   // how long the person waits for something, once the agent has ended
	working   <-chan struct{} // closed when the agent has ended
	tab       *browser.Tab    // the page of the app; nil until it is needed
	first     *browser.Tab    // the one in the first window, while the person uses a second one
	questions *browser.Tab    // the page of questions; the same
	terminals *browser.Tab    // the page of terminals; the same
	events    string          // what the app has sent to the agent
}

// until waits until f has no objection, which it returns as text. It asks less often in time: to
// read a page takes as much work as most steps.
func (p *person) until(f func() string) {
	end := time.Now().Add(p.patience)
	pause := 10 * time.Millisecond
	for working := p.working; ; pause = min(pause*3/2, 300*time.Millisecond) {
		objection := f()
		if objection == "" {
			return
		}
		select {
		case <-working:
			working, end = nil, time.Now().Add(p.patience)
		default:
			if working == nil && time.Now().After(end) {
				p.Fatal(objection)
			}
		}
		wait.Pause(pause)
	}
}

// address waits for the server, and returns its port's address with a host name: apps, questions
// and terminals have different ones.
func (p *person) address(host string) string {
	var port string
	p.until(func() string {
		data, err := os.ReadFile(filepath.Join(p.place.base(), "ui-port"))
		if err != nil {
			return "there is no page: nobody has started the server"
		}
		port = strings.TrimSpace(string(data))
		return ""
	})
	return "http://" + host + ":" + port
}

func (p *person) opened(tab **browser.Tab, url string) *browser.Tab {
	if *tab == nil {
		made := p.browser.Tab()
		made.Size(1000, 900)
		made.Open(url)
		*tab = made
	}
	return *tab
}

func (p *person) page() *browser.Tab { return p.opened(&p.tab, p.address("127.0.0.1")+"/") }

// visible is the text that a page shows, with the values of its fields.
const visible = `(() => {
	let out = "";
	const walk = (node) => {
		if (node.nodeType === Node.TEXT_NODE) out += node.data;
		if (node.nodeType !== Node.ELEMENT_NODE || node.matches("script, style, template, ui-popup")) return;
		const { display, visibility } = getComputedStyle(node);
		if (display === "none" || visibility === "hidden" || display !== "contents" && !node.checkVisibility()) return;
		const apart = display === "inline" || display === "contents" ? "" : " ";
		out += apart;
		if (node.matches("select")) out += [...node.selectedOptions].map((o) => o.text).join(", ");
		else if (node.matches("textarea, input:not([type=checkbox], [type=radio], [type=password])")) out += node.value;
		else if (node.matches("img")) out += node.alt;
		else for (const child of node.tagName === "SLOT" ? node.assignedNodes({ flatten: true }) : (node.shadowRoot ?? node).childNodes) walk(child);
		out += apart;
	};
	walk(document.body);
	return out.replace(/\s+/g, " ");
})()`

func (p *person) text() string { return browser.Eval[string](p.page(), visible) }

// places returns where whole words are in a text, as bytes.
func places(text, words string) [][]int {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(words), " ", `\s+`)
	var list [][]int
	for _, at := range regexp.MustCompile("(?i)"+pattern).FindAllStringIndex(text, -1) {
		before, after := text[:at[0]], text[at[1]:]
		if !(inWord.MatchString(words[:1]) && wordBefore.MatchString(before)) && !(inWord.MatchString(words[len(words)-1:]) && inWord.MatchString(after)) {
			list = append(list, at)
		}
	}
	return list
}

var inWord, wordBefore = regexp.MustCompile(`^[\p{L}\p{N}]`), regexp.MustCompile(`[\p{L}\p{N}]$`)

// near reports whether all words are in a text at most 100 bytes from the first of them.
func near(text string, words []string) bool {
	const within = 100
	return slices.ContainsFunc(places(text, words[0]), func(at []int) bool {
		part := strings.ToValidUTF8(text[max(0, at[0]-within):min(len(text), at[1]+within)], "")
		return !slices.ContainsFunc(words[1:], func(w string) bool { return len(places(part, w)) == 0 })
	})
}

// The roles of what people press, and fill in.
var (
	pressed = []string{"button", "link", "tab", "menuitem", "checkbox", "radio", "switch", "option", "DisclosureTriangle", "ToggleButton"}
	filled  = []string{"textbox", "searchbox", "spinbutton", "slider", "combobox", "listbox", "Date", "DateTime", "InputTime", "ColorWell"}
	checked = []string{"checkbox", "switch", "radio", "menuitemcheckbox"}
)

// target is the control that control has found.
const target = "window.evalsTarget"

// control finds a control by its roles and its name, in the row with a text if there is one: the
// nearest to it. A name that equals the wanted one comes before one that has it among other words.
func (p *person) control(tab *browser.Tab, roles []string, name string, in ...string) {
	p.until(func() string {
		var exact, other []browser.Node
		for _, n := range tab.Nodes() {
			switch {
			case !slices.Contains(roles, n.Role):
			case strings.EqualFold(strings.Trim(n.Name, " :*…"), name):
				exact = append(exact, n)
			case len(places(n.Name, name)) > 0:
				other = append(other, n)
			}
		}
		row := strings.Join(in, " ")
		if len(exact) == 0 || row != "" {
			exact = append(exact, other...)
		}
		tab.Assign("evalsFound", exact)
		found := browser.Eval[bool](tab, fmt.Sprintf(`(() => {
			const row = %q.toLowerCase();
			const words = (e) => [e.innerText, e.ariaLabel, ...[...e.querySelectorAll("input, textarea")].map((i) => i.value)].join(" ").toLowerCase();
			const far = (e) => { let n = 0; for (let up = e; up && !words(up).includes(row); n++) up = up.parentElement ?? up.getRootNode().host; return n; };
			const list = evalsFound.filter((e) => e.checkVisibility()).map((e) => ({ e, n: far(e) })).sort((a, b) => a.n - b.n);
			%s = list[0]?.e;
			return list.length > 0;
		})()`, row, target))
		if !found {
			return fmt.Sprintf("there is no %q to use", name)
		}
		return ""
	})
}

// ask is the JavaScript expression of an element in the dialog of questions.
func ask(selector string) string {
	return `document.querySelector("ui-popup").shadowRoot.querySelector("` + selector + `")`
}

// openQuestion is true while the page of questions displays one that can be answered.
const openQuestion = `((e) => e?.dataset.state === "dialog" && e.dataset.settled === "true")(document.querySelector("ui-popup"))`

// question waits for a question that can be answered, in the page of questions.
func (p *person) question() *browser.Tab {
	tab := p.opened(&p.questions, p.address("localhost")+"/popup")
	p.until(func() string {
		if browser.Eval[bool](tab, openQuestion) {
			return ""
		}
		return "there is no question"
	})
	return tab
}

// fetch gets a document of the server as JSON.
func (p *person) fetch(url string, into any) string {
	res, err := http.Get(url)
	if err != nil {
		return err.Error()
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode >= 400 {
		return fmt.Sprintf("%s: %s %v", res.Status, body, err)
	}
	if len(body) > 0 {
		if err := json.Unmarshal(body, into); err != nil {
			return err.Error()
		}
	}
	return ""
}

// terminal returns what a terminal has shown, and its state.
func (p *person) terminal(name string) (text string, s struct {
	State string
	Exit  *struct{ Code int }
}, objection string) {
	at := p.address("localhost") + "/terminals/sessions/" + name
	var all struct{ Lines []string }
	if objection = p.fetch(at, &s); objection == "" {
		objection = p.fetch(at+"/scrollback?format=plain&tail=1000", &all)
	}
	return strings.Join(all.Lines, "\n"), s, objection
}

// A verb is what a step does, with the numbers of arguments that it takes.
type verb struct {
	least, most int
	do          func(p *person, a []string)
}

var verbs map[string]verb

func init() {
	verbs = map[string]verb{
		"see":     {1, 5, see},     // texts that stand together on the page
		"still":   {1, 5, still},   // the same, also a moment later
		"gone":    {1, 1, gone},    // a text that is not on the page
		"order":   {2, 9, order},   // texts, one after another
		"click":   {1, 3, click},   // a control's name, and after "in" the text of its row
		"fill":    {2, 4, fill},    // a field's name, its new value, and perhaps its row
		"type":    {2, 2, enter},   // the same, without leaving the field
		"press":   {1, 1, key},     // a key, in the field with the focus
		"check":   {1, 3, tick},    // a checkbox
		"uncheck": {1, 3, untick},  // the same
		"value":   {2, 2, value},   // a field's name and value
		"off":     {1, 3, off},     // a control that is disabled
		"sound":   {0, 0, sound},   // the page fits a phone, and anyone can use it
		"restart": {0, 0, restart}, // the server
		"event":   {1, 5, event},   // texts in what the app has sent to the agent
		"window":  {0, 0, window},  // a second window with the page, for what follows
		"back":    {0, 0, back},    // to the first window
		"file":    {2, 5, file},    // a file of the project, and texts in it
		"lacks":   {2, 2, lacks},   // a file, and a text that it does not have
		"absent":  {1, 1, absent},  // a file that is not there
		"answer":  {1, 1, answer},  // an option of the question that is asked
		"reply":   {1, 1, reply},   // the text that a question asks for
		"asked":   {1, 5, asked},   // texts of the question
		"screen":  {2, 5, screen},  // a terminal, and texts in it
		"hides":   {2, 2, hides},   // a terminal, and a text that it has not shown
		"keys":    {2, 2, keys},    // a terminal, and a line to type there, or ^C
		"ended":   {2, 2, ended},   // a terminal, and the status of its program
		"alive":   {1, 1, alive},   // a terminal whose program runs
	}
}

func see(p *person, a []string) {
	p.until(func() string {
		if text := p.text(); !near(text, a) {
			return fmt.Sprintf("the page does not show %q: %.300s", a, text)
		}
		return ""
	})
}

func still(p *person, a []string) {
	see(p, a)
	wait.Pause(1500 * time.Millisecond)
	see(p, a)
}

func gone(p *person, a []string) {
	p.until(func() string {
		if len(places(p.text(), a[0])) > 0 {
			return fmt.Sprintf("the page shows %q", a[0])
		}
		return ""
	})
}

func order(p *person, a []string) {
	p.until(func() string {
		text, last := p.text(), -1
		for _, words := range a {
			at := places(text, words)
			if len(at) == 0 || at[0][0] < last {
				return fmt.Sprintf("the page does not show %q in this order: %.300s", a, text)
			}
			last = at[0][0]
		}
		return ""
	})
}

// row returns the text of the row that a step names at its end, after "in".
func row(a []string) string {
	if len(a) >= 2 && a[len(a)-2] == "in" {
		return a[len(a)-1]
	}
	return ""
}

func click(p *person, a []string) { p.press(p.page(), pressed, a[0], row(a)) }

// press clicks on a control that control finds, once it rests and nothing covers it. What is hit in
// the middle of a control in a shadow tree may be its host, whose text the control displays.
func (p *person) press(tab *browser.Tab, roles []string, name, row string) {
	var last, at *browser.Point
	p.until(func() string {
		p.control(tab, roles, name, row)
		last, at = at, browser.Eval[*browser.Point](tab, `((e) => {
			e.scrollIntoView({ block: "nearest", behavior: "instant" });
			const { left, top, width, height } = e.getBoundingClientRect();
			const at = { X: left + width / 2, Y: top + height / 2 };
			const root = e.getRootNode(), hit = root.elementFromPoint(at.X, at.Y);
			for (let up = hit; up; up = up.assignedSlot ?? up.parentNode ?? up.host) if (up === e) return at;
			return hit && hit === root.host ? at : null;
		})(`+target+`)`)
		if at == nil {
			return fmt.Sprintf("something covers %q", name)
		}
		if last == nil || *last != *at {
			return fmt.Sprintf("%q does not rest", name)
		}
		return ""
	})
	tab.ClickXY(at.X, at.Y)
}

func fill(p *person, a []string) {
	tab := p.page()
	p.control(tab, filled, a[0], row(a))
	set := fmt.Sprintf(`((e, value) => {
		const kind = e.tagName === "SELECT" ? "select" : e.type ?? "";
		if (!["select", "date", "time", "month", "week", "datetime-local", "range", "color"].includes(kind)) return "type";
		if (kind === "select") {
			const option = [...e.options].find((o) => o.text.trim().toLowerCase() === value.toLowerCase());
			if (!option) return "there is no option " + value;
			value = option.value;
		}
		e.focus();
		e.value = value;
		for (const event of ["input", "change"]) e.dispatchEvent(new Event(event, { bubbles: true, composed: true }));
		return "";
	})(%s, %q)`, target, a[1])
	switch objection := browser.Eval[string](tab, set); objection {
	case "":
	case "type":
		p.write(tab, a)
		tab.Press(browser.Tabulator)
	default:
		p.Fatal(objection)
	}
}

// write replaces the text of a field.
func (p *person) write(tab *browser.Tab, a []string) {
	p.press(tab, filled, a[0], row(a))
	tab.Run(target + ".select?.()")
	text := a[1]
	if text == "" {
		text = browser.Backspace
	}
	tab.Press(text)
}

func enter(p *person, a []string) {
	p.write(p.page(), a)
}

func key(p *person, a []string) {
	key := map[string]string{"Enter": browser.Enter, "Escape": browser.Escape}[a[0]]
	if key == "" {
		p.Fatalf("there is no key %q", a[0])
	}
	p.page().Press(key)
}

func tick(p *person, a []string)   { p.set(a, true) }
func untick(p *person, a []string) { p.set(a, false) }

func (p *person) set(a []string, want bool) {
	tab := p.page()
	p.control(tab, checked, a[0], row(a))
	if browser.Eval[bool](tab, `(`+target+`.checked ?? `+target+`.ariaChecked === "true")`) != want {
		p.press(tab, checked, a[0], row(a))
	}
}

func value(p *person, a []string) {
	p.until(func() string {
		p.control(p.page(), append(slices.Clone(filled), checked...), a[0])
		got := browser.Eval[string](p.page(), `((e) => e.tagName === "SELECT" ? e.selectedOptions[0]?.text.trim() ?? "" : ["checkbox", "radio"].includes(e.type) ? e.checked ? "on" : "off" : e.value ?? e.innerText)(`+target+`)`)
		if !strings.EqualFold(got, a[1]) {
			return fmt.Sprintf("%s is %q, not %q", a[0], got, a[1])
		}
		return ""
	})
}

func off(p *person, a []string) {
	p.until(func() string {
		p.control(p.page(), append(slices.Clone(pressed), filled...), a[0], row(a))
		if !browser.Eval[bool](p.page(), target+`.matches(":disabled, [aria-disabled=true]")`) {
			return fmt.Sprintf("%s can be used", a[0])
		}
		return ""
	})
}

// axe finds what keeps people from using a page; tools/need axe installs it.
const axe = "../scratch/axe/node_modules/axe-core/axe.min.js"

func sound(p *person, _ []string) {
	tab := p.page()
	tab.Size(390, 844)
	defer tab.Size(1000, 900)
	p.until(func() string { // what runs is paler
		if browser.Eval[bool](tab, `document.querySelector("[data-ui-running]") !== null`) {
			return "a control does not come to an end"
		}
		return ""
	})
	if wide := browser.Eval[int](tab, "document.documentElement.scrollWidth"); wide > 390 {
		p.Fatalf("on a phone, the page is %d pixels wide", wide)
	}
	for _, n := range tab.Nodes() {
		if strings.TrimSpace(n.Name) == "" && slices.Contains(slices.Concat(pressed, filled, checked), n.Role) {
			p.Fatalf("a %s has no name", n.Role)
		}
	}
	if list := tab.ConsoleErrors(); len(list) > 0 {
		p.Fatalf("the page reports: %s", list[0])
	}
	script, err := os.ReadFile(axe)
	if err != nil {
		return
	}
	tab.Run(string(script))
	tab.Run(`document.dispatchEvent(new KeyboardEvent("keydown", { key: "Tab" }))`) // after which the keyboard reaches what scrolls
	for _, finding := range browser.Eval[[]string](tab, `axe.run(document, { resultTypes: ["violations"], preload: false }).then(({ violations }) => violations
		.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => id + ": " + nodes[0].html.slice(0, 200)))`) {
		p.Fatal(finding)
	}
}

func restart(p *person, _ []string) {
	for _, tab := range []**browser.Tab{&p.tab, &p.questions, &p.terminals} {
		if *tab != nil {
			(*tab).Close()
			*tab = nil
		}
	}
	p.place.restart()
}

func event(p *person, a []string) {
	p.until(func() string {
		var list []json.RawMessage
		if objection := p.fetch(testkit.AgentURL(p, p.place.base())+"/wait?timeout=1", &list); objection != "" {
			return objection
		}
		for _, e := range list {
			p.events += string(e) + "\n"
		}
		if !near(p.events, a) {
			return fmt.Sprintf("the agent is not told %q, but: %s", a, p.events)
		}
		return ""
	})
}

func file(p *person, a []string) {
	p.until(func() string {
		data, err := os.ReadFile(filepath.Join(p.place.project, a[0]))
		if err != nil || !near(string(data), a[1:]) {
			return fmt.Sprintf("the file %s does not have %q: %.300s", a[0], a[1:], data)
		}
		return ""
	})
}

func lacks(p *person, a []string) {
	data, err := os.ReadFile(filepath.Join(p.place.project, a[0]))
	if err != nil || len(places(string(data), a[1])) > 0 {
		p.Fatalf("the file %s has %q: %.300s", a[0], a[1], data)
	}
}

func absent(p *person, a []string) {
	p.until(func() string {
		if _, err := os.Stat(filepath.Join(p.place.project, a[0])); err == nil {
			return fmt.Sprintf("the file %s is there", a[0])
		}
		return ""
	})
}

func window(p *person, _ []string) { p.first, p.tab = p.page(), nil }
func back(p *person, _ []string)   { p.tab, p.first = p.first, nil }

func asked(p *person, a []string) {
	text := browser.Eval[string](p.question(), `document.querySelector("ui-popup").shadowRoot.textContent`)
	if !near(text, a) {
		p.Fatalf("the question does not say %q: %.300s", a, text)
	}
}

func answer(p *person, a []string) {
	tab := p.question()
	p.press(tab, pressed, a[0], "")
	p.answered(tab)
}

func reply(p *person, a []string) {
	tab := p.question()
	tab.ClickOn(ask(".text"))
	tab.Press(a[0])
	tab.ClickOn(ask("button.send"))
	p.answered(tab)
}

// answered waits until the question is over, so that the next step does not find it again.
func (p *person) answered(tab *browser.Tab) {
	p.until(func() string {
		if browser.Eval[bool](tab, openQuestion) {
			return "the question does not take the answer"
		}
		return ""
	})
}

func screen(p *person, a []string) {
	p.until(func() string {
		text, _, objection := p.terminal(a[0])
		if objection == "" && !near(text, a[1:]) {
			objection = fmt.Sprintf("the terminal %s does not show %q: %.300s", a[0], a[1:], text)
		}
		return objection
	})
}

func hides(p *person, a []string) {
	text, _, objection := p.terminal(a[0])
	if objection == "" && len(places(text, a[1])) > 0 {
		objection = fmt.Sprintf("the terminal %s shows %q", a[0], a[1])
	}
	if objection != "" {
		p.Fatal(objection)
	}
}

func keys(p *person, a []string) {
	if _, _, objection := p.terminal(a[0]); objection != "" {
		p.Fatal(objection)
	}
	tab := p.opened(&p.terminals, p.address("localhost")+"/terminals/s/"+a[0])
	tab.Wait(`document.querySelector(".pane .xterm")`)
	tab.Run(`document.querySelector(".pane .xterm-helper-textarea").focus()`)
	if a[1] == "^C" {
		tab.Press("c", browser.Ctrl)
		return
	}
	tab.Press(a[1] + browser.Enter)
}

func ended(p *person, a []string) {
	p.until(func() string {
		_, s, objection := p.terminal(a[0])
		if objection == "" && (s.Exit == nil || fmt.Sprint(s.Exit.Code) != a[1]) {
			objection = fmt.Sprintf("the program in %s has not ended with %s: %s %v", a[0], a[1], s.State, s.Exit)
		}
		return objection
	})
}

func alive(p *person, a []string) {
	p.until(func() string {
		_, s, objection := p.terminal(a[0])
		if objection == "" && s.State == "ended" {
			objection = fmt.Sprintf("the program in %s has ended", a[0])
		}
		return objection
	})
}
