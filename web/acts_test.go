package web_test

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/actcases"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/ui/act"
	"ui-mcp/internal/ui/wire"
	"ui-mcp/web"
)

var update = flag.Bool("update", false, "record what the page does for each act")

// What the page does for each act, in a browser, is what the record says, which a test of package
// variable compares with what the server predicts. The record has a sum of the client that it was
// made with and of all that the page got. While that is the same, some scenes show that the browser
// does the same as well.
func TestActs(t *testing.T) {
	t.Parallel()
	folder := filepath.Join("..", "internal", "testkit", "actcases", "testdata")
	record := testkit.Read(t, folder, "page.txt")
	recorded := actcases.Outcomes(t, record)
	var scenes []scene
	sum := sha256.New()
	hashClient(t, sum)
	n := 1
	for _, s := range actcases.Scenes() {
		next := scene{Scene: s, display: s.Show(t)}
		var tries []try
		for _, in := range s.Inputs {
			n++
			picture := string(next.display.Snapshot(n))
			one := try{Picture: picture, Components: strings.Contains(picture, "sl-")}
			for k, in := range slices.Concat(next.display.Before, []act.Input{in}) {
				one.Acts = append(one.Acts, actOf(next.display, n<<10+k, in))
			}
			tries = append(tries, one)
		}
		next.tries = mustJSON(t, tries)
		sum.Write(next.tries)
		scenes = append(scenes, next)
	}
	made := hex.EncodeToString(sum.Sum(nil)) + "\n"
	every := 15
	if *update || load.Full() || load.All() && made != testkit.Read(t, folder, "page.sum") {
		every = 1
	}

	server := serve(t)
	// The first rule is as in the style sheet of apps. By the second, nothing is drawn.
	server.head = `<style>[hidden] { display: none !important; } html { opacity: 0; }</style>`
	p := showOn(server, `null`)
	p.Feature("prefers-reduced-motion", "reduce") // marking what was acted on would draw a frame for each act
	p.Run(standIn)
	p.Wait(`window.carryOut`)
	var now actcases.Record
	for k, s := range scenes {
		if k%every != 0 {
			continue
		}
		sent := browser.Eval[[][]sent](p.Tab, fmt.Sprintf(`carryOut(%s)`, s.tries))
		now.Add(s.Scene, func(in act.Input) string {
			got := outcomeOf(t, s.display, sent[0])
			sent = sent[1:]
			if want := recorded[s.Name][actcases.Describe(in)]; got != want && !*update {
				t.Errorf("%s, %s:\n\trecorded   %s\n\tin the page %s", s.Name, actcases.Describe(in), want, got)
			}
			return got
		})
	}
	if *update {
		testkit.Write(t, folder, "page.txt", now.String())
		testkit.Write(t, folder, "page.sum", made)
	} else if every == 1 && now.String() != record {
		t.Error("the record has other cases, or in another order: -update writes it")
	}
}

// hashClient writes what a page loads, and what stands in for its connection, to a sum.
func hashClient(t *testing.T, sum hash.Hash) {
	t.Helper()
	io.WriteString(sum, standIn)
	for _, part := range []string{"main.js", "shoelace"} {
		err := fs.WalkDir(web.Dist(), part, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := fs.ReadFile(web.Dist(), name)
			fmt.Fprintln(sum, name, len(data))
			sum.Write(data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A scene has what the page gets for each of its tries, as JSON.
type scene struct {
	*actcases.Scene
	display *actcases.Display
	tries   []byte
}

// A try is a scene to display, and the acts in it. What the last of them causes counts.
type try struct {
	Picture    string   `json:"picture"`
	Components bool     `json:"components"` // they have to draw themselves first
	Acts       []string `json:"acts"`
}

// sent is a message of the page.
type sent struct {
	Type            string
	Act, ID         int64
	Events          [][]any
	Refused, Thrown string
	Holds           bool
}

// standIn replaces the page's connection: carryOut hands it messages and answers in the page, which
// takes half as long as a server.
const standIn = `const task = () => new Promise((done) => {
	const { port1, port2 } = new MessageChannel(); // a timer would wait longer each time
	port1.onmessage = done;
	port2.postMessage(0);
});
window.WebSocket = class {
	static OPEN = 1;
	readyState = 1;
	constructor() {
		const receive = (data) => this.onmessage({ data });
		const drawn = async () => {
			const all = [...document.querySelectorAll("*")];
			await Promise.all(all.map((e) => e.localName.includes("-") ? customElements.whenDefined(e.localName) : 0));
			await Promise.all(all.map((e) => e.updateComplete));
		};
		const act = (message) => new Promise((done) => {
			const sent = [];
			this.send = async (text) => {
				const m = JSON.parse(text);
				if (m.type === "error") return;
				sent.push(m);
				await task();
				if (m.type === "events") receive(JSON.stringify({ type: "ack", ref: m.ref }));
				else done(sent);
			};
			receive(message);
		});
		window.carryOut = async (tries) => {
			const list = [];
			for (const { picture, components, acts } of tries) {
				await task();
				let late; // a component that is defined now gets its value later
				do {
					receive(JSON.stringify({ ...JSON.parse(picture), root: null })); // what shows the same would stay
					receive(picture);
					late = document.querySelector(":not(:defined)");
					if (components) await drawn();
				} while (components && late !== null);
				let sent;
				for (const message of acts) sent = await act(message);
				list.push(sent);
			}
			return list;
		};
		setTimeout(() => this.onopen());
	}
};
uiApp.disconnect();`

// actOf is the message for an act, as the server sends it.
func actOf(st *actcases.Display, id int, in act.Input) string {
	if plan, err := st.Act(in); err == nil {
		in = plan.Input
	}
	at := st.Target()
	return string(wire.AppendAct(nil, wire.Act{ID: int64(id), At: [2]int64{at.Instance, int64(at.Element)}, Input: in}))
}

// outcomeOf writes what the page has sent for an act as text.
func outcomeOf(t *testing.T, st *actcases.Display, sent []sent) string {
	t.Helper()
	var messages [][]wire.Event
	for _, m := range sent[:len(sent)-1] {
		if m.Type != "events" || m.Act != sent[len(sent)-1].ID {
			t.Errorf("the page sends %+v for act %d", m, sent[len(sent)-1].ID)
		}
		var message []wire.Event
		for _, e := range m.Events {
			h := wire.Event{Instance: int64(e[0].(float64)), Slot: int(e[1].(float64))}
			if len(e) > 2 {
				h.Value = e[2]
			}
			message = append(message, h)
		}
		messages = append(messages, message)
	}
	events := st.Events(messages)
	switch m := sent[len(sent)-1]; {
	case m.Type != "acted":
		t.Errorf("the page sends %+v", m)
	case m.Refused != "":
		return "refused, " + m.Refused + "; " + events
	case m.Thrown != "":
		return "thrown, " + m.Thrown + "; " + events
	case m.Holds:
		return "holds; " + events
	}
	return events
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
