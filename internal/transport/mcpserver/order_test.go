package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A worker is a server whose tools record when they run: "life" alone, "work" in its session,
// "look" shared, "wait" unordered until it is cancelled.
type worker struct {
	*Server
	gate chan struct{} // calls of "life" and "work" take a token before they end, unless it is nil

	mu  sync.Mutex // guards the field below
	log []string
}

type workInput struct {
	N         int    `json:"n"`
	Waits     bool   `json:"waits,omitempty"`
	SessionID string `json:"sessionId,omitempty"`
}

func newWorker(gate chan struct{}) *worker {
	w := &worker{Server: New(Options{Name: "t", Version: "0", Logger: quiet()}), gate: gate}
	ordered := func(name string, o Order) {
		AddTool(w.Server, Tool{Name: name, Hints: harmless, Order: o}, func(_ context.Context, in workInput) (Result, error) {
			w.note(fmt.Sprintf("%s %d begins", name, in.N))
			if w.gate != nil && name != "look" {
				<-w.gate
			}
			w.note(fmt.Sprintf("%s %d ends", name, in.N))
			return Text("done"), nil
		})
	}
	ordered("life", Alone)
	ordered("work", InSession("sessionId", "1"))
	ordered("look", Shared)
	AddTool(w.Server, Tool{Name: "wait", Hints: harmless}, func(ctx context.Context, _ workInput) (Result, error) {
		<-ctx.Done()
		return Result{}, context.Cause(ctx)
	})
	return w
}

func (w *worker) note(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.log = append(w.log, what)
}

func (w *worker) noted() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.log)
}

// workCall is a call of one of a worker's tools in the stateless era.
func workCall(tool string, n int, session string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{"n":%d,"sessionId":%q},%s}}`,
		n, tool, n, session, statelessMeta)
}

// readCall is a read of a resource in the stateless era.
func readCall(id int, uri string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"resources/read","params":{"uri":%q,%s}}`, id, uri, statelessMeta)
}

// sequence is the log of calls that ran one after the other.
func sequence(calls ...string) (log []string) {
	for _, c := range calls {
		log = append(log, c+" begins", c+" ends")
	}
	return log
}

// Calls that are sent without waiting run in the order in which they were sent.
func TestPipelinedCallsRunInOrder(t *testing.T) {
	const n = 50
	for round := range 5 {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			w := newWorker(nil)
			s := serve(t, w.Server, nil)
			var lines strings.Builder
			var want []string
			for i := range n {
				tool := "work"
				if i%10 == 0 {
					tool = "life"
				}
				lines.WriteString(workCall(tool, i, "1") + "\n")
				want = append(want, sequence(fmt.Sprintf("%s %d", tool, i))...)
			}
			go func() { _, _ = io.WriteString(s.in, lines.String()) }()
			for range n {
				s.receive(t)
			}
			s.finish(t)
			if diff := cmp.Diff(want, w.noted()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Over HTTP calls are ordered by arrival: a request that has arrived comes before one that is sent
// afterwards, whichever the connection, the era or the endpoint, also without MCP.
func TestOrderOfArrivalOverHTTP(t *testing.T) {
	gate := make(chan struct{})
	w := newWorker(gate)
	s := serveHTTP(t, w.Server, HTTPOptions{})
	session := s.handshake(t)
	events := &sseWire{server: s}
	events.connect(t)
	events.send(t, initialize)
	events.receive(t)

	var posted sync.WaitGroup
	arrived := func(n int) {
		for w.waiting() < n {
			runtime.Gosched()
			if t.Context().Err() != nil {
				t.Fatal("a call did not arrive")
			}
		}
	}
	const calls = 12
	for n := 1; n <= calls; n++ {
		switch n % 4 {
		case 0:
			events.send(t, strings.ReplaceAll(workCall("work", n, "1"), ","+statelessMeta, ""))
		case 1:
			headers := []string{versionHeader, StatelessSince, "Mcp-Method", "tools/call", "Mcp-Name", "work"}
			posted.Go(func() { messages(t, s.do(t, http.MethodPost, "/mcp", workCall("work", n, "1"), headers...)) })
		case 2:
			message := strings.ReplaceAll(workCall("work", n, "1"), ","+statelessMeta, "")
			posted.Go(func() { messages(t, s.do(t, http.MethodPost, "/mcp", message, sessionHeader, session)) })
		case 3:
			posted.Go(func() { content(t, s.do(t, http.MethodPost, "/api/work", fmt.Sprintf(`{"n":%d}`, n))) })
		}
		arrived(n)
	}
	close(gate)
	posted.Wait()
	for range 3 {
		events.receive(t)
	}
	var want []string
	for n := 1; n <= calls; n++ {
		want = append(want, sequence(fmt.Sprintf("work %d", n))...)
	}
	if diff := cmp.Diff(want, w.noted()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if n := w.waiting(); n != 0 {
		t.Errorf("%d calls have their turns still", n)
	}
}

// Sessions do not wait for each other, nor anybody for a call that waits for a person, and a call
// that is cancelled before its turn gives it up without letting others pass those before it.
func TestWhatHoldsUpWhat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		w := newWorker(gate)
		s := serve(t, w.Server, nil)
		send := func(line string) { s.send(t, line+"\n") }
		step := func(want ...string) {
			t.Helper()
			synctest.Wait()
			w.mu.Lock()
			defer w.mu.Unlock()
			if diff := cmp.Diff(want, w.log); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			w.log = nil
		}
		answers := make(chan string, 100)
		go func() {
			for {
				line, err := s.lines.Next()
				if err != nil {
					return
				}
				answers <- string(line)
			}
		}()
		send(workCall("wait", 1, "1"))
		send(workCall("work", 2, "1"))
		step("work 2 begins")
		send(workCall("work", 3, `a`)) // another session
		step("work 3 begins")
		send(workCall("work", 4, "1")) // the first one
		other := serve(t, w.Server, nil)
		other.send(t, workCall("look", 5, "1")+"\n") // another client does not wait
		step("look 5 begins", "look 5 ends")
		other.receive(t)
		other.in.Close()
		<-other.ended
		send(workCall("look", 9, "1")) // this one has the answers before it first
		step()
		send(workCall("life", 6, "1"))
		send(workCall("work", 7, "b")) // after life
		send(workCall("look", 8, "1"))
		step()
		send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":6}}`)
		step() // what comes after life still waits for what was before it
		for range 2 {
			gate <- struct{}{}
			synctest.Wait()
			if got := w.noted(); slices.Contains(got, "work 7 begins") || slices.Contains(got, "look 8 begins") || slices.Contains(got, "look 9 begins") {
				t.Errorf("a later call has passed: %q", got)
			}
		}
		gate <- struct{}{}
		synctest.Wait()
		got := w.noted()
		for _, want := range []string{"work 2 ends", "work 3 ends", "work 4 ends", "work 7 begins", "look 9 ends"} {
			if !slices.Contains(got, want) {
				t.Errorf("log %q lacks %q", got, want)
			}
		}
		gate <- struct{}{}
		send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
		synctest.Wait()
		if got := w.noted(); !slices.Contains(got, "look 8 ends") {
			t.Errorf("log %q lacks the last call", got)
		}
		if n := len(answers); n != 6 { // all but the two that were cancelled
			t.Errorf("%d answers", n)
		}
		s.in.Close()
		<-s.ended
	})
}

// A host reads a document while it waits for a call of the session: only reads that have an order
// wait for the call, over every transport and in both eras.
func TestReadsDuringACall(t *testing.T) {
	gate := make(chan struct{})
	w := &worker{Server: New(Options{Name: "t", Version: "0", Logger: quiet(), Reads: func(uri string) Order {
		if uri == "test://state" {
			return InSession("sessionId", "1")
		}
		return Unordered
	}}), gate: gate}
	AddTool(w.Server, Tool{Name: "work", Hints: harmless, Order: InSession("sessionId", "1")}, func(context.Context, workInput) (Result, error) {
		w.note("work begins")
		<-gate
		w.note("work ends")
		return Text("done"), nil
	})
	for _, uri := range []string{"test://state", "test://document"} {
		w.AddResource(&mcp.Resource{URI: uri, Name: uri}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			w.note(uri)
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, Text: "read"}}}, nil
		})
	}
	over := serveHTTP(t, w.Server, HTTPOptions{})
	session := over.handshake(t)
	post := func(t *testing.T, message string, headers ...string) (answer chan string) {
		answer = make(chan string, 1)
		go func() { answer <- fmt.Sprint(messages(t, over.do(t, http.MethodPost, "/mcp", message, headers...))) }()
		return answer
	}
	old := strings.NewReplacer(","+statelessMeta, "")
	lines := func(old *strings.Replacer) func(*testing.T) func(string) chan string {
		return func(t *testing.T) func(string) chan string {
			s := serve(t, w.Server, nil)
			if old != nil {
				s.send(t, initialize+"\n")
				s.receive(t)
			}
			answers := map[string]chan string{}
			var mu sync.Mutex
			go func() {
				for {
					line, err := s.lines.Next()
					if err != nil {
						return
					}
					mu.Lock()
					for id, answer := range answers {
						if strings.Contains(string(line), id) {
							answer <- string(line)
						}
					}
					mu.Unlock()
				}
			}()
			return func(message string) chan string {
				id := message[strings.Index(message, `"id":`):strings.Index(message, `,"method"`)]
				answer := make(chan string, 1)
				mu.Lock()
				answers[id] = answer
				mu.Unlock()
				if old != nil {
					message = old.Replace(message)
				}
				s.send(t, message+"\n")
				return answer
			}
		}
	}
	for name, connect := range map[string]func(t *testing.T) func(message string) (answer chan string){
		"lines, handshake": lines(old),
		"lines, stateless": lines(nil),
		"HTTP, handshake": func(t *testing.T) func(string) chan string {
			return func(message string) chan string {
				return post(t, old.Replace(message), sessionHeader, session)
			}
		},
		"HTTP, stateless": func(t *testing.T) func(string) chan string {
			return func(message string) chan string {
				method, named := "tools/call", "work"
				if strings.Contains(message, "resources/read") {
					method, named = "resources/read", "test://"+between(message, `test://`, `"`)
				}
				return post(t, message, versionHeader, StatelessSince, "Mcp-Method", method, "Mcp-Name", named)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w.mu.Lock()
			w.log = nil
			w.mu.Unlock()
			send := connect(t)
			call := send(workCall("work", 1, "1"))
			for len(w.noted()) == 0 {
				runtime.Gosched()
				if t.Context().Err() != nil {
					t.Fatal("the call has not begun")
				}
			}
			state := send(readCall(2, "test://state"))
			document := send(readCall(3, "test://document"))
			for late := time.Now().Add(30 * time.Second); len(document) == 0; runtime.Gosched() {
				if n := w.waiting(); n > 2 || time.Now().After(late) {
					t.Errorf("the document is not read during the call; %d calls and reads have turns", n)
					break
				}
			}
			gate <- struct{}{}
			if got := <-document; !strings.Contains(got, "read") {
				t.Errorf("the document = %s", got)
			}
			<-call
			if got := <-state; !strings.Contains(got, "read") {
				t.Errorf("the state = %s", got)
			}
			if diff := cmp.Diff([]string{"work begins", "test://document", "work ends", "test://state"}, w.noted()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// waiting returns how many turns are not over.
func (w *worker) waiting() (n int) {
	w.turns.mu.Lock()
	defer w.turns.mu.Unlock()
	for _, t := range w.turns.list {
		if t.over.Err() == nil {
			n++
		}
	}
	return n
}

// between returns what is between two texts.
func between(s, from, to string) string {
	_, s, _ = strings.Cut(s, from)
	s, _, _ = strings.Cut(s, to)
	return s
}

// Calls that reach no handler hold up nothing: unknown tools, wrong arguments, no session.
func TestRefusedCallsGiveUpTheirTurns(t *testing.T) {
	w := newWorker(nil)
	s := serve(t, w.Server, nil)
	for i, line := range []string{
		`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"work","arguments":{"n":1}}}`,                         // not initialized
		`{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"life","arguments":{"n":"x"},` + statelessMeta + `}}`, // wrong
		`{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"work","arguments":7,` + statelessMeta + `}}`,
		`{"jsonrpc":"2.0","id":"d","method":"tools/call","params":{"name":"no","arguments":{},` + statelessMeta + `}}`,
		`{"jsonrpc":"2.0","id":"e","method":"tools/call","params":7}`,
	} {
		s.send(t, line+"\n")
		if got := s.receive(t); !strings.Contains(got, `"error"`) {
			t.Errorf("line %d: %s", i, got)
		}
	}
	s.send(t, workCall("life", 1, "1")+"\n")
	s.receive(t)
	s.finish(t)
	if diff := cmp.Diff(sequence("life 1"), w.noted()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if n := w.waiting(); n != 0 {
		t.Errorf("%d calls have their turns still", n)
	}
}

// A client that disconnects gives up its turns, so that others continue.
func TestDisconnectedClientGivesUpItsTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		w := newWorker(gate)
		gone, stays := serve(t, w.Server, func(s *Stdio) { s.Drain = time.Second }), serve(t, w.Server, nil)
		gone.send(t, workCall("work", 1, "1")+"\n")
		gone.send(t, workCall("life", 2, "1")+"\n")
		gone.send(t, workCall("life", 3, "1")+"\n")
		synctest.Wait()
		gone.in.Close()
		time.Sleep(2 * time.Second)
		stays.send(t, workCall("life", 4, "1")+"\n")
		synctest.Wait()
		close(gate)
		stays.receive(t)
		gone.finishReading(t)
		stays.finish(t)
		if diff := cmp.Diff(sequence("work 1", "life 4"), w.noted()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

// Random turns: no call begins before an earlier one that it must wait for has ended, whichever
// turns are given up.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		q := new(turns)
		type running struct {
			scope   scope
			session string
			ended   bool
		}
		var mu sync.Mutex
		var all []*running
		var wg sync.WaitGroup
		errGivenUp := errors.New("given up")
		for range 2000 {
			c := &running{scope: []scope{inSession, inSession, inSession, shared, alone}[r.IntN(5)], session: fmt.Sprint(r.IntN(4))}
			if c.scope != inSession {
				c.session = ""
			}
			before := slices.Clone(all)
			all = append(all, c)
			turn := q.take(&turn{scope: c.scope, session: c.session})
			ctx, cancel := context.WithCancelCause(t.Context())
			patience, work := time.Duration(r.IntN(100))*time.Second, time.Duration(r.IntN(3))*time.Second
			time.AfterFunc(patience, func() { cancel(errGivenUp) })
			wg.Go(func() {
				defer turn.end()
				err := turn.wait(ctx)
				mu.Lock()
				for _, b := range before {
					conflict := b.scope == alone || c.scope == alone || c.scope == inSession && b.scope == inSession && c.session == b.session
					if err == nil && conflict && !b.ended {
						t.Error("a call began before its turn")
					}
				}
				mu.Unlock()
				if err == nil {
					time.Sleep(work)
				} else if !errors.Is(err, errGivenUp) {
					t.Error(err)
				}
				mu.Lock()
				c.ended = true
				mu.Unlock()
			})
			if r.IntN(10) == 0 {
				time.Sleep(time.Duration(r.IntN(20)) * time.Second)
			}
		}
		wg.Wait()
		if n := len(q.list); n > 200 {
			t.Errorf("%d turns are kept", n)
		}
	})
}

// A call waits no longer for many others on its connection that were all given up.
func TestTurnAfterManyAbandoned(t *testing.T) {
	q, on := new(turns), newCalls(nil)
	first := q.take(&turn{scope: inSession, on: on})
	given, cancel := context.WithCancel(t.Context())
	cancel()
	for range 100 {
		abandoned := q.take(&turn{scope: shared, on: on})
		if abandoned.wait(given) == nil {
			t.Fatal("a call passes the first")
		}
		abandoned.end()
	}
	last := q.take(&turn{scope: shared, on: on})
	first.end()
	if err := last.wait(t.Context()); err != nil {
		t.Error(err)
	}
	if q.take(&turn{scope: alone}); len(q.list) != 2 {
		t.Errorf("%d turns are kept", len(q.list))
	}
}
