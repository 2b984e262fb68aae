//go:build unix

package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/client"
	"ui-mcp/internal/transport/socketwire"
)

// A step of an apiStory is one of
//
//	GET /sessions/a    a request with a body; the answer is "STATUS", "STATUS JSON" or "STATUS code"
//	UPGRADE /ws/json   a request that becomes a WebSocket, on which later methods are called
//	get_screen         a method with its params; the answer is "JSON" or "code"
//	event.title        waits for an event, or any other message, that has this JSON
//	send               a message on the WebSocket that is no call of a method
//	frame 03           a frame of an attached terminal with its content; the answer is "TYPE JSON"
//	closed             waits for the end of the WebSocket, with a code and a reason
//
// JSON is what the answer must contain. $NAME stands for what an earlier step has saved.
type step struct {
	do, in, want string

	session string // of the method, beside its params
	as      string // the token: that of the owner by default; "-" sends no token
	header  string // one more, as "Name: value"
	save    string // a member of the answer
	until   bool   // repeat it until the answer is this one
	keep    bool   // leave the connection of a frame open until the story is over
	later   bool   // go on before the answer comes
	times   int    // how often to do it; $even and $odd are 0 and 1 in turns, and 1 and 0
}

// An apiRun is a story that takes place.
type apiRun struct {
	*testing.T
	s     *shellServer
	saved []string // "$NAME" and the value, by turns, the newest first
	conn  *websocket.Conn
	calls int
	seen  []string // messages that are no answers

	requests sync.WaitGroup // that are answered later
	methods  map[int]step   // that are answered later, by id
}

// run does a step. vars are more names and values beside those that earlier steps have saved.
func (r *apiRun) run(st step, more ...string) {
	r.Helper()
	vars := strings.NewReplacer(slices.Concat(more, r.saved)...)
	do, in, as := vars.Replace(st.do), vars.Replace(st.in), vars.Replace(st.as)
	var headers []string
	if as == "" {
		as = ownersToken
	}
	if as != "-" {
		headers = append(headers, "Authorization: Bearer "+as)
	}
	if st.header != "" {
		headers = append(headers, st.header)
	}
	verb, rest, isRequest := strings.Cut(do, " ")
	switch {
	case verb == "frame":
		r.frame(do, rest, in, st)
	case verb == "answers":
		r.answers()
	case verb == "send":
		r.write([]byte(in))
	case verb == "closed":
		var err error
		for err == nil {
			_, _, err = r.next()
		}
		if got := fmt.Sprint(int(websocket.CloseStatus(err)), " ", closeText(err)); got != st.want {
			r.Errorf("the WebSocket ended with %s (%v), want %s", got, err, st.want)
		}
	case strings.HasPrefix(do, "event.") || do == "lifecycle" || do == "lifecycle_lagged" || do == "answer":
		r.event(do, st.want)
	case isRequest && st.later:
		r.requests.Go(func() {
			if problem := r.request(verb, rest, in, st, headers); problem != "" {
				r.Errorf("%s %.200s: %s", st.do, st.in, problem)
			}
		})
	case isRequest:
		end := time.Now().Add(wait.Patience)
		for {
			if problem := r.request(verb, rest, in, st, headers); problem == "" {
				break
			} else if !st.until || time.Now().After(end) {
				r.Errorf("%s %.200s: %s", st.do, st.in, problem)
				break
			}
		}
	default:
		st.do, st.in = do, in
		r.call(st)
	}
}

// answers waits for what is answered later.
func (r *apiRun) answers() {
	r.Helper()
	r.requests.Wait()
	for len(r.methods) > 0 {
		message, answered, err := r.next()
		if err != nil {
			r.Fatalf("%d methods are not answered: %v", len(r.methods), err)
		}
		if !answered {
			r.seen = append(r.seen, message)
		}
	}
}

// request makes a request and says what is wrong with the answer.
func (r *apiRun) request(verb, path, in string, st step, headers []string) string {
	var res *http.Response
	var body string
	if verb == "UPGRADE" {
		var conn *websocket.Conn
		if conn, res, body = r.s.dial(r, path, headers...); conn != nil {
			if len(r.methods) > 0 {
				return "another WebSocket waits for answers"
			}
			r.conn, r.seen = conn, nil
		}
	} else {
		res, body = r.s.do(r, verb, path, in, headers...)
	}
	return r.answer(res, body, st)
}

// answer says what is wrong with an answer.
func (r *apiRun) answer(res *http.Response, body string, st step) string {
	status, want, _ := strings.Cut(st.want, " ")
	header := res.Header.Get
	switch {
	case strconv.Itoa(res.StatusCode) != status:
		return fmt.Sprintf("status %d, want %s: %.300s", res.StatusCode, status, body)
	case res.StatusCode == 204 && body != "":
		return fmt.Sprintf("a body: %q", body)
	case res.StatusCode == 405 && header("Allow") == "":
		return "no Allow"
	case res.StatusCode == 429 && want == "rate_limited" && header("Retry-After") == "":
		return "no Retry-After"
	case res.StatusCode != 101 && (header("X-Content-Type-Options") != "nosniff" || header("X-Frame-Options") != "DENY" || header("Referrer-Policy") != "no-referrer" || header("Content-Security-Policy") == ""):
		return "headers of security are missing"
	case res.StatusCode >= 400 && header("Content-Type") != "application/json":
		return "an error of type " + header("Content-Type")
	}
	if res.StatusCode >= 400 && want != "" {
		want = `{"error":{"code":"` + want + `"}}`
	}
	if want != "" {
		if d := opcases.Diff(want, body); d != "" {
			return d
		}
	}
	if st.save != "" {
		var members map[string]any
		if err := json.Unmarshal([]byte(body), &members); err != nil {
			return err.Error()
		}
		r.saved = append([]string{"$" + st.save, fmt.Sprint(members[st.save])}, r.saved...)
	}
	return ""
}

// next reads a message of the WebSocket. Answers to the methods that are answered later are checked
// here, and reported as answered.
func (r *apiRun) next() (message string, answered bool, err error) {
	r.Helper()
	ctx, cancel := context.WithTimeout(r.Context(), wait.Patience)
	defer cancel()
	_, b, err := r.conn.Read(ctx)
	if err != nil || len(r.methods) == 0 {
		return string(b), false, err
	}
	var reply struct{ ID int }
	_ = json.Unmarshal(b, &reply) // the ID of a message without one is 0
	st, answered := r.methods[reply.ID]
	if answered {
		delete(r.methods, reply.ID)
		r.check(st, string(b))
	}
	return string(b), answered, nil
}

func (r *apiRun) write(message []byte) {
	r.Helper()
	if err := r.conn.Write(r.Context(), websocket.MessageText, message); err != nil {
		r.Fatal(err)
	}
}

// call calls a method.
func (r *apiRun) call(st step) {
	r.Helper()
	r.calls++
	request := map[string]any{"id": r.calls, "method": st.do}
	if st.session != "" {
		request["session"] = st.session
	}
	if st.in != "" {
		request["params"] = json.RawMessage(st.in)
	}
	b, err := json.Marshal(request)
	if err != nil {
		r.Fatal(err)
	}
	r.write(b)
	if st.later {
		r.methods[r.calls] = st
		return
	}
	id := regexp.MustCompile(fmt.Sprintf(`^\{"id":%d,`, r.calls))
	for {
		message, answered, err := r.next()
		if answered {
			continue
		}
		if st.do == "stop_server" && websocket.CloseStatus(err) == websocket.StatusGoingAway {
			return // the end of the server may come before its answer
		}
		if err != nil {
			r.Fatalf("%s: %v", st.do, err)
		}
		if id.MatchString(message) {
			r.check(st, message)
			return
		}
		r.seen = append(r.seen, message)
	}
}

// check checks the answer to a method: JSON, or the code of an error.
func (r *apiRun) check(st step, message string) {
	r.Helper()
	var reply struct {
		Method string
		Result json.RawMessage
		Error  struct{ Code, Message string }
	}
	if err := json.Unmarshal([]byte(message), &reply); err != nil {
		r.Fatalf("%s: %v: %s", st.do, err, message)
	}
	if reply.Method != st.do {
		r.Errorf("%s: the answer is to %q", st.do, reply.Method)
	}
	if !strings.ContainsAny(st.want, "{[") {
		if reply.Error.Code != st.want || reply.Error.Message == "" {
			r.Errorf("%s %s: code %q, want %q: %.300s", st.do, st.in, reply.Error.Code, st.want, message)
		}
	} else if reply.Error.Code != "" {
		r.Errorf("%s %s: %.300s", st.do, st.in, message)
	} else if d := opcases.Diff(st.want, string(reply.Result)); d != "" {
		r.Errorf("%s %s: %s", st.do, st.in, d)
	}
}

// event waits for a message.
func (r *apiRun) event(name, want string) {
	r.Helper()
	for i := 0; ; i++ {
		if i == len(r.seen) {
			message, answered, err := r.next()
			if answered {
				i--
				continue
			}
			if err != nil {
				r.Fatalf("no %s %s: %v; but %.3000s", name, want, err, strings.Join(r.seen, "\n"))
			}
			r.seen = append(r.seen, message)
		}
		if opcases.Diff(want, r.seen[i]) == "" {
			return
		}
	}
}

// contents are what the frames after the first one carry.
var contents = map[string]string{"06": `{"rows":7,"cols":41}`, "11": "k", "20": `{"type":"shown","id":"none"}`}

// frame sends a frame and, if there are more types, others after the answer.
func (r *apiRun) frame(do, kinds, in string, st step) {
	r.Helper()
	conn, err := net.Dial("unix", r.s.socket)
	if err != nil {
		r.Fatal(err)
	}
	list := strings.Fields(kinds)
	var of struct{ Name string } // the session; those of other requests are found by the first frame
	if list[0] == "03" && json.Unmarshal([]byte(in), &of) != nil {
		r.Fatalf("%s is malformed", in)
	}
	ctx, cancel := context.WithTimeout(r.Context(), wait.Patience)
	r.Cleanup(cancel)
	kindOf := func(kind string) socketwire.Kind {
		n, err := strconv.ParseUint(kind, 16, 8)
		if err != nil {
			r.Fatal(err)
		}
		return socketwire.Kind(n)
	}
	attached, err := client.Attach(ctx, conn, of.Name, socketwire.Frame{Kind: kindOf(list[0]), Content: []byte(in)})
	if err != nil {
		r.Fatal(err)
	}
	if st.keep {
		r.Cleanup(func() { attached.Close() })
	} else {
		defer attached.Close()
	}
	send := func(kind, content string) {
		if err := attached.Write(ctx, socketwire.Frame{Kind: kindOf(kind), Content: []byte(content)}); err != nil {
			r.Fatal(err)
		}
	}
	receive := func() (kind string, content []byte) {
		f, err := attached.Read(ctx)
		if err != nil {
			r.Fatalf("%s: %v", do, err)
		}
		return fmt.Sprintf("%02x", byte(f.Kind)), f.Content
	}
	wantKind, wantContent, _ := strings.Cut(st.want, " ")
	if kind, content := receive(); kind != wantKind {
		r.Errorf("%s %s: %s %s, want %s", do, in, kind, content, st.want)
	} else if d := opcases.Diff(wantContent, string(content)); d != "" {
		r.Errorf("%s %s: %s", do, in, d)
	}
	for _, kind := range list[1:] {
		send(kind, contents[kind])
		switch kind {
		case "05":
			for answer := ""; answer != kind; { // after the last picture
				answer, _ = receive()
			}
		case "11":
			r.event("event.input", `{"event":"input","parsed":{"key":"k"}}`)
		}
	}
}

// closeText returns the reason of a WebSocket's end.
func closeText(err error) string {
	e, _ := errors.AsType[websocket.CloseError](err)
	return e.Reason
}
