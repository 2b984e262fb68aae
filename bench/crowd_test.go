//go:build linux

package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/wait"
)

// How many users a crowd has.
const (
	crowdSessions  = 10 // of apps
	crowdPages     = 50 // of each session
	crowdValues    = 1_000
	crowdEvery     = time.Second / 20 // between two changes of a session
	crowdTerminals = 1_000
	crowdWatched   = 100
	crowdTime      = 20 * time.Second
	crowdBrowsers  = 3 // pages in Chromium, one in each of the first sessions
)

// A crowdRow is what was measured of a crowd. Times are in milliseconds.
type crowdRow struct {
	Name      string     `json:"name"`
	Who       string     `json:"who"`
	Change    [2]float64 `json:"change"`    // p50 and p99, from a change until a page or watcher has it
	Displayed [2]float64 `json:"displayed"` // the same, until Chromium has painted it
	Asked     [2]float64 `json:"asked"`     // a request of an agent meanwhile
	CPU       float64    `json:"cpu"`       // processors that the server uses
	MiB       float64    `json:"mib"`       // its resident memory at the end
	Load      string     `json:"load"`      // the load average at the start
	Commit    string     `json:"commit"`
}

// BenchmarkCrowd measures both commands with many users: alone, and at once.
func BenchmarkCrowd(b *testing.B) {
	var found []crowdRow
	for _, c := range []struct {
		name            string
		apps, terminals bool
	}{{"apps", true, false}, {"terminals", false, true}, {"both", true, true}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportMetric(0, "ns/op")
			var crowds []*crowd
			if c.apps {
				crowds = append(crowds, gatherPages(b))
			}
			if c.terminals {
				crowds = append(crowds, gatherTerminals(b))
			}
			for b.Loop() { // with -benchtime 1x, once
				load, _ := os.ReadFile("/proc/loadavg")
				var all sync.WaitGroup
				for _, one := range crowds {
					all.Go(one.measure)
				}
				all.Wait()
				for _, one := range crowds {
					row := one.row(b)
					row.Name, row.Load = c.name, strings.Fields(string(load))[0]
					b.Logf("%+v", row)
					found = append(found, row)
				}
			}
		})
	}
	b.Run("limits", func(b *testing.B) {
		b.ReportMetric(0, "ns/op")
		for b.Loop() {
			for _, l := range crowdLimits(b) {
				b.Log(l)
			}
		}
	})
	if *keepFigures {
		keepCrowd(b, found)
	}
}

// A crowd is a server and its users.
type crowd struct {
	b     *testing.B
	who   string
	p     *process
	users []*watcher
	tabs  []*browser.Tab
	drive func(until time.Time) // changes things until then; nil: they change by themselves
	ask   func()                // a request of an agent
	cpu   float64
	asked stopwatch
}

// A watcher is a WebSocket that receives changes. Each has a time in it, as T NANOSECONDS E.
type watcher struct {
	conn *websocket.Conn
	took stopwatch
	err  error
	done chan struct{}
}

// watch reads changes until the connection ends.
func watch(conn *websocket.Conn) *watcher {
	w := &watcher{conn: conn, done: make(chan struct{})}
	go func() {
		defer close(w.done)
		last := time.Now().UnixNano() // what was there before is old
		for {
			_, message, err := conn.Read(context.Background())
			if err != nil {
				w.err = err
				return
			}
			now := time.Now()
			for rest := string(message); ; {
				_, after, ok := strings.Cut(rest, "T1")
				if !ok {
					break
				}
				digits, more, ok := strings.Cut(after, "E")
				if ns, err := strconv.ParseInt("1"+digits, 10, 64); ok && err == nil && ns > last { // a scrolled screen has old lines
					w.took = append(w.took, now.Sub(time.Unix(0, ns)))
					last = ns
				}
				rest = more
			}
		}
	}()
	return w
}

// observe has a tab collect how old the times in its page are when they have been painted.
const observe = `
	window.crowd = [];
	new MutationObserver(list => {
		const times = list.map(m => (m.addedNodes[0] ?? m.target).textContent).filter(t => /^T\d+E$/.test(t)).map(t => Number(t.slice(1, -1)) / 1e6);
		requestAnimationFrame(() => setTimeout(() => { for (const t of times) window.crowd.push(Date.now() - t) }));
	}).observe(document.body, { subtree: true, childList: true, characterData: true });`

// measure lets the crowd work for a while.
func (c *crowd) measure() {
	for _, tab := range c.tabs {
		tab.Run(observe)
	}
	before, begin := c.p.cpu(), time.Now()
	until := begin.Add(crowdTime)
	var driving sync.WaitGroup
	if c.drive != nil {
		driving.Go(func() { c.drive(until) })
	}
	for time.Now().Before(until) {
		start := time.Now()
		c.ask()
		c.asked = append(c.asked, time.Since(start))
		wait.Pause(100 * time.Millisecond)
	}
	driving.Wait()
	c.cpu = (c.p.cpu() - before).Seconds() / time.Since(begin).Seconds()
}

// row ends the crowd, and returns what was measured.
func (c *crowd) row(b *testing.B) crowdRow {
	r := crowdRow{Who: c.who, CPU: c.cpu, MiB: float64(c.p.memory()) / (1 << 20)}
	var changes, displayed stopwatch
	for _, tab := range c.tabs {
		tab.Run(`document.body.append(Object.assign(document.createElement("pre"), { id: "crowd-times", textContent: JSON.stringify(crowd) }))`)
		var ms []float64
		if err := json.Unmarshal([]byte(tab.Texts("#crowd-times")[0]), &ms); err != nil || len(ms) == 0 {
			b.Errorf("%d changes in Chromium (%v)", len(ms), err)
		}
		for _, one := range ms {
			displayed.add(one)
		}
	}
	wait.Pause(2 * time.Second) // what was sent last arrives, or is missing
	fewest, most := len(c.users[0].took), 0
	for _, w := range c.users {
		select {
		case <-w.done:
			b.Errorf("a connection has ended: %v", w.err)
		default:
		}
		w.conn.CloseNow()
		<-w.done
		changes = append(changes, w.took...)
		fewest, most = min(fewest, len(w.took)), max(most, len(w.took))
	}
	b.Logf("changes that one of %d has: %d to %d", len(c.users), fewest, most)
	if c.drive != nil && fewest != most {
		b.Errorf("of %d changes, a page has %d", most, fewest)
	}
	r.Change, r.Displayed, r.Asked = changes.quantiles(), displayed.quantiles(), c.asked.quantiles()
	return r
}

// quantiles returns the median and the 99th percentile, in milliseconds.
func (s stopwatch) quantiles() [2]float64 { return [2]float64{s.ms(0.5), s.ms(0.99)} }

func gatherPages(b *testing.B) *crowd {
	var fields, bound strings.Builder
	for i := range crowdValues {
		fmt.Fprintf(&fields, "fields.f%d = 'value %d' ", i+1, i+1)
		fmt.Fprintf(&bound, `<i ui-value="f%d"></i>`, i+1)
	}
	p := start(b, map[string]string{
		"apps/crowd/app.lua": "local fields = { n = 0 } " + fields.String() + "\nCrowd = session:prototype('Crowd', fields)\n" +
			"function Crowd:change(t) self.n = self.n % " + strconv.Itoa(crowdValues) + " + 1 self['f' .. self.n] = t end\ncrowd = crowd or Crowd:new()\n",
		"apps/crowd/viewdefs/Crowd.DEFAULT.html": `<template><p><button ui-event-click="change(_)">Change</button>` + bound.String() + "</p></template>",
	}, "--log-level", "error")
	c := &crowd{b: b, p: p, who: fmt.Sprintf("%d sessions, each with %d pages of %s values, and %d changes a second", crowdSessions, crowdPages, grouped(crowdValues), int(time.Second/crowdEvery))}
	var drivers []*watcher
	var events []string // of each driver
	for i := range crowdSessions {
		id := fmt.Sprintf("s%d", i)
		p.call("ui_display", map[string]any{"name": "crowd", "sessionId": id})
		for n := range crowdPages {
			conn, _, err := websocket.Dial(b.Context(), strings.Replace(p.url, "http", "ws", 1)+"/ws/"+id, nil)
			if err != nil {
				b.Fatal(err)
			}
			conn.SetReadLimit(-1)
			b.Cleanup(func() { conn.CloseNow() })
			snapshot := (&page{b, conn}).next("snapshot")
			c.users = append(c.users, watch(conn))
			if n == 0 {
				drivers, events = append(drivers, c.users[len(c.users)-1]), append(events, change(b, snapshot))
			}
		}
	}
	chromium := browser.New(b)
	for i := range crowdBrowsers {
		tab := chromium.Tab()
		tab.Open(fmt.Sprintf("%s/s%d/", p.url, i))
		tab.Wait(`document.querySelectorAll("i").length >= ` + strconv.Itoa(crowdValues))
		c.tabs = append(c.tabs, tab)
	}
	ref := 0
	c.drive = func(until time.Time) {
		for at := time.Now(); at.Before(until); at = at.Add(crowdEvery) {
			wait.Pause(time.Until(at))
			ref++
			for i, d := range drivers {
				// The time is when the change was due, even if this is late.
				message := fmt.Sprintf(events[i], ref, at.UnixNano())
				if err := d.conn.Write(b.Context(), websocket.MessageText, []byte(message)); err != nil {
					b.Error(err)
					return
				}
			}
		}
	}
	c.ask = func() { p.call("ui_run", map[string]any{"code": "return crowd.n", "sessionId": "s0"}) }
	return c
}

// change returns the message that changes a value, with places for its number and the time.
func change(b *testing.B, snapshot []byte) string {
	var s struct {
		Seq  int
		Defs []struct {
			ID   float64
			Key  string
			Bind [][]any
		}
		Root any
	}
	if err := json.Unmarshal(snapshot, &s); err != nil {
		b.Fatal(err)
	}
	for _, def := range s.Defs {
		slot := slices.IndexFunc(def.Bind, func(bind []any) bool { return bind[1] == "event" })
		if def.Key != "Crowd.DEFAULT" || slot < 0 {
			continue
		}
		var find func(v any) (instance any)
		find = func(v any) any {
			list, _ := v.([]any)
			if len(list) > 2 && list[0] == def.ID {
				if _, mount := list[2].([]any); mount {
					return list[1]
				}
			}
			for _, inner := range list {
				if found := find(inner); found != nil {
					return found
				}
			}
			return nil
		}
		if instance := find(s.Root); instance != nil {
			return fmt.Sprintf(`{"type":"events","ref":%%d,"seq":%d,"events":[[%v,%d,"T%%dE"]]}`, s.Seq, int64(instance.(float64)), slot)
		}
	}
	b.Fatalf("the snapshot does not have the app: %.300s", snapshot)
	return ""
}

func gatherTerminals(b *testing.B) *crowd {
	h := startHost(b, "--max-sessions", strconv.Itoa(crowdTerminals))
	c := &crowd{b: b, p: h.process, who: fmt.Sprintf("%s terminals that print a line a second, of which %d are watched", grouped(crowdTerminals), crowdWatched)}
	for i := range crowdTerminals { // bash starts no process for a line
		const command = `exec bash --norc -c 'while :; do t=$EPOCHREALTIME; echo T${t/[.,]/}000E; read -t 1; done'`
		h.create(fmt.Sprintf("t%d", i), command, 80, 24)
	}
	h.request("GET", fmt.Sprintf("/sessions/t%d/wait/text?text=T1", crowdTerminals-1), "")
	for i := range crowdWatched {
		s := openSocket(b, h.url, fmt.Sprintf("/sessions/t%d/ws/json", i*crowdTerminals/crowdWatched))
		s.call("subscribe", `{"events":["lines"],"format":"plain"}`)
		c.users = append(c.users, watch(s.conn))
	}
	c.ask = func() { h.request("GET", "/sessions/t1/screen?format=plain", "") }
	return c
}

// crowdLimits adds users until one is refused, and returns how that is said. The others must be
// served as before.
func crowdLimits(b *testing.B) []string {
	var said []string
	p := start(b, map[string]string{"apps/one/app.lua": "One = session:prototype('One', { n = 1 }) one = one or One:new()\n", "apps/one/viewdefs/One.DEFAULT.html": `<template><p ui-value="n"></p></template>`}, "--log-level", "error")
	p.call("ui_display", map[string]any{"name": "one"})
	for n := 1; ; n++ {
		var res struct {
			IsError bool
			Content []struct{ Text string }
		}
		answer := p.request("tools/call", params(b, "ui_run", map[string]any{"code": "return 1", "sessionId": fmt.Sprintf("x%d", n)}))
		if err := json.Unmarshal(answer, &res); err != nil {
			b.Fatal(err)
		}
		if res.IsError {
			said = append(said, fmt.Sprintf("session %d of apps: %s", n+1, res.Content[0].Text))
			break
		}
	}
	said = append(said, refusedSocket(b, "page %d of a session: %s", p.url+"/ws/1")...)
	begin := time.Now()
	p.run("return 1")
	said = append(said, fmt.Sprintf("after that, ui_run took %v, and the server has %d MiB", time.Since(begin).Round(time.Millisecond), p.memory()>>20))

	h := startHost(b)
	for n := 1; ; n++ {
		res, err := http.Post(h.url+"/sessions", "application/json", strings.NewReader(`{"command":"exec cat"}`))
		if err != nil {
			b.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil {
			b.Fatal(err)
		}
		if res.StatusCode != http.StatusCreated {
			said = append(said, fmt.Sprintf("terminal %d: %s %s", n, res.Status, body))
			break
		}
	}
	said = append(said, refusedSocket(b, "connection %d to the terminals: %s", h.url+"/ws/json")...)
	var sessions []struct{ Name string }
	if err := json.Unmarshal(h.request("GET", "/sessions", ""), &sessions); err != nil || len(sessions) != 256 {
		b.Fatalf("%d terminals are left (%v)", len(sessions), err)
	}
	for _, s := range sessions {
		h.request("GET", "/sessions/"+s.Name+"/screen", "")
	}
	return append(said, fmt.Sprintf("the server of terminals has %d MiB", h.memory()>>20))
}

// refusedSocket opens WebSockets, which read as pages do, until one is refused, and returns how
// that is said; nothing if none of 4,000 is.
func refusedSocket(b *testing.B, format, url string) []string {
	for n := 1; n <= 4_000; n++ {
		conn, res, err := websocket.Dial(b.Context(), strings.Replace(url, "http", "ws", 1), nil)
		if err != nil {
			text := err.Error()
			if res != nil && res.Body != nil {
				body, _ := io.ReadAll(io.LimitReader(res.Body, 1000))
				text = res.Status + " " + string(body)
			}
			return []string{fmt.Sprintf(format, n, text)}
		}
		conn.SetReadLimit(-1)
		b.Cleanup(func() { conn.CloseNow() })
		go (&shellSocket{b: b, conn: conn}).discard()
	}
	return nil
}

const (
	crowdBegin = "<!-- make crowd writes this table -->"
	crowdEnd   = "<!-- so far -->"
)

// keepCrowd writes the table into docs/performance.md.
func keepCrowd(b *testing.B, found []crowdRow) {
	b.Helper()
	out, err := exec.Command("git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		b.Fatal(err)
	}
	var t strings.Builder
	fmt.Fprintf(&t, "Measured at %s on %s.\n\n", strings.TrimSpace(string(out)), machine())
	t.WriteString("| who | a change until all have it, p50 / p99 | until Chromium has painted it | an agent's request meanwhile | processors | memory | load average |\n|---|---|---|---|---|---|---|\n")
	pair := func(q [2]float64) string {
		if q[0] == 0 {
			return "–"
		}
		return fmt.Sprintf("%.1f / %.1f ms", q[0], q[1])
	}
	for _, r := range found {
		who := r.Who
		if r.Name == "both" {
			who = "both at once: " + who
		}
		fmt.Fprintf(&t, "| %s | %s | %s | %s | %.2f | %.0f MiB | %s |\n", who, pair(r.Change), pair(r.Displayed), pair(r.Asked), r.CPU, r.MiB, r.Load)
	}
	page, err := os.ReadFile(growthPage)
	if err != nil {
		b.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(page), crowdBegin)
	_, tail, ok2 := strings.Cut(rest, crowdEnd)
	if !ok || !ok2 {
		b.Fatalf("%s has no place for the table", growthPage)
	}
	if err := os.WriteFile(growthPage, []byte(head+crowdBegin+"\n"+t.String()+crowdEnd+tail), 0o644); err != nil {
		b.Fatal(err)
	}
}
