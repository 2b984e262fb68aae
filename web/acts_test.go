package web_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/actcases"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/ui/variable"
	"ui-mcp/internal/ui/wire"
)

var update = flag.Bool("update", false, "record what the page does for each act")

// What the page does for each act, in a browser, is what the record says, which a test of package
// variable compares with what the server predicts.
func TestActs(t *testing.T) {
	t.Parallel()
	file := filepath.Join("..", "internal", "testkit", "actcases", "testdata", "page.txt")
	record, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	recorded := actcases.Outcomes(t, string(record))
	server := serve(t)
	// The first rule is as in the style sheet of apps. By the second, nothing is drawn.
	server.head = `<style>[hidden] { display: none !important; } html { opacity: 0; }</style>`
	p := showOn(server, `null`)
	p.Still(true) // marking what was acted on would draw a frame for each act
	every := 1
	if !load.All() && !*update {
		every = 15
	}
	var now actcases.Record
	n := 1
	for k, s := range actcases.Scenes() {
		if k%every != 0 {
			continue
		}
		st := s.Show(t)
		now.Add(s, func(in variable.Input) string {
			n++
			got := p.act(st, n, in)
			if want := recorded[s.Name][actcases.Describe(in)]; got != want && !*update {
				t.Errorf("%s, %s:\n\trecorded   %s\n\tin the page %s", s.Name, actcases.Describe(in), want, got)
			}
			return got
		})
	}
	if *update {
		if err := os.WriteFile(file, []byte(now.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if every == 1 && now.String() != string(record) {
		t.Error("the record has other cases, or in another order: -update writes it")
	}
}

// drawn waits until a page has components drawn: they are loaded when they first appear.
const drawn = `(async () => {
	while (document.documentElement.dataset.uiSeq !== "%d") await new Promise((done) => setTimeout(done));
	const all = [...document.querySelectorAll("*")];
	await Promise.all(all.map((e) => e.localName.includes("-") ? customElements.whenDefined(e.localName) : 0));
	await Promise.all(all.map((e) => e.updateComplete));
})()`

// act displays a scene, has the page act in it, and returns what it answers and sends.
func (p *page) act(st *actcases.Display, n int, in variable.Input) string {
	p.server.t.Helper()
	picture := string(st.Snapshot(n))
	p.send("%s", picture)
	if strings.Contains(picture, "<sl-") || strings.Contains(picture, `\u003csl-`) {
		browser.Eval[any](p.Tab, fmt.Sprintf(drawn, n))
	}
	for k, first := range st.Before {
		p.perform(st, n<<10+k+1, first)
	}
	return p.perform(st, n<<10, in)
}

// perform has the page act in the scene that it displays.
func (p *page) perform(st *actcases.Display, id int, in variable.Input) string {
	p.server.t.Helper()
	if act, err := st.Act(in); err == nil {
		in = act.Input // as the server sends it
	}
	at := st.Target()
	p.send("%s", wire.AppendAct(nil, wire.Act{
		ID: int64(id), At: [2]int64{at.Instance, int64(at.Element)},
		Click: in.Click, Fill: in.Fill, Check: in.Check, Select: in.Select, Key: in.Key,
	}))
	var messages [][]variable.Happening
	for {
		var m struct {
			Type            string
			Ref, ID, Act    int64
			Events          [][]any
			Refused, Thrown string
			Holds           bool
		}
		raw := p.nextOn(p.in, "what it does for an act")
		if err := json.Unmarshal([]byte(raw), &m); err != nil {
			p.server.t.Fatal(err)
		}
		switch m.Type {
		case "events":
			if m.Act != int64(id) {
				p.server.t.Errorf("what act %d has caused is sent as that of %d", id, m.Act)
			}
			var message []variable.Happening
			for _, e := range m.Events {
				h := variable.Happening{Instance: int64(e[0].(float64)), Slot: int(e[1].(float64))}
				if len(e) > 2 {
					h.Value = e[2]
				}
				message = append(message, h)
			}
			messages = append(messages, message)
			p.send(`{"type":"ack","ref":%d}`, m.Ref)
		case "acted":
			events := st.Events(messages)
			switch {
			case m.Refused != "":
				return "refused, " + m.Refused + "; " + events
			case m.Thrown != "":
				return "thrown, " + m.Thrown + "; " + events
			case m.Holds:
				return "holds; " + events
			}
			return events
		default:
			p.server.t.Fatalf("the page sends %s", raw)
		}
	}
}

// A component or script that throws while the page acts stops the act, which is answered at once.
func TestActThatThrows(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,[]]`, def(1, "A", `<p data-ui='0'><button id='b' data-ui='1'>x</button></p>`, `[[1,"action","go()"]]`))
	p.Run(`b.click = () => { throw new Error("no luck") }`)
	p.send(`{"type":"act","id":4,"at":[1,1],"do":"click"}`)
	p.expect(`{"type":"acted","id":4,"thrown":"Error: no luck"}`)
	p.Run(`Object.defineProperty(b, "closest", { get() { throw "again" } })`)
	p.send(`{"type":"act","id":5,"at":[1,1],"do":"click"}`)
	p.expect(`{"type":"acted","id":5,"thrown":"again"}`)
	p.Run(`delete b.click; delete b.closest`)
	p.Click("#b") // what the person does then is theirs
	p.expect(`{"type":"events","ref":1,"events":[[1,0]]}`)
}

// A page says when nobody sees it any more, for acts to go to another one.
func TestVisible(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,[]]`, def(1, "A", `<p></p>`, `[]`))
	for state, want := range map[string]bool{"hidden": false, "visible": true} {
		p.Run(`Object.defineProperty(document, "visibilityState", { configurable: true, value: "` + state + `" });
			document.dispatchEvent(new Event("visibilitychange"))`)
		p.expect(fmt.Sprintf(`{"type":"visible","on":%t}`, want))
	}
}
