// Command model plays a language model for real clients: it answers in four dialects (Messages,
// Responses, Chat Completions, generateContent) what a list of steps says, and checks what a model
// is sent: the tools, and the result of each step's call. Its last text says what was found, and a
// line on standard error, which begins with ROW, what of each behaviour in docs/clients.md.
//
// A request's step is the number of turns that the model had in it. Requests without tools, which
// clients make for titles and the like, get a text, or the JSON that they ask for. It is a tool of
// the developers of ui-mcp and is not part of any release. It serves until it is interrupted.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/httpserve"
)

// A step is what the model does in a turn: it calls a tool, whose name ends so, or says a text.
type step struct {
	Row    string `json:"row"` // the behaviour that it tries, in the words of docs/clients.md
	Do     string `json:"do"`  // shell command to run before the answer, which must succeed: the person, another client, a failure
	Tool   string `json:"tool"`
	Input  object `json:"input"`
	Want   string `json:"want"`   // regular expression that the JSON of the result matches
	Within int    `json:"within"` // seconds that the next request may take; 0: any number
	Text   string `json:"text"`
}

// Limits of what a model is sent of the tools of both servers. What clients add is not ours: e2e
// TestAllDeclarations limits what they are given.
const (
	fewest  = 27     // tools
	longest = 30_000 // bytes of them, as JSON
)

// A tool is one that the client offers. Some clients have them in groups.
type tool struct {
	group, name string
	size        int // of it as JSON
}

// A turn is what the model says in one answer.
type turn struct {
	step
	tool   // if it calls one
	number int
	id     string
}

// arguments returns the arguments of a call as JSON.
func (t turn) arguments() string {
	if t.Input == nil {
		return "{}"
	}
	return string(fault.Must(json.Marshal(t.Input))) // it was JSON
}

// A dialect reads requests and writes answers.
type dialect struct {
	items    string                   // the member of a request with the conversation
	isModels func(item object) bool   // whether an item is a turn of the model
	tools    func(item object) []tool // those in an item of the list of tools
	events   func(t turn) []any       // as "data" of a stream, which has the name of their type
	whole    func(t turn) any         // without a stream
	end      string                   // of a stream
}

type model struct {
	steps    []step
	mu       sync.Mutex // guards the fields below; held while what a step does runs
	problems []string   // what a check has found
	checked  map[int]bool
	undone   map[int]bool // steps before which something has failed
	answered time.Time    // when the last step was
}

func main() {
	script := flag.String("script", "", "file with the steps, as a JSON array")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *script); err != nil {
		fmt.Fprintln(os.Stderr, "conformance model:", err)
		os.Exit(1)
	}
}

// run serves until ctx is done. The last line on standard error begins with the address.
func run(ctx context.Context, script string) error {
	text, err := os.ReadFile(script)
	if err != nil {
		return err
	}
	m := &model{checked: map[int]bool{}, undone: map[int]bool{}}
	if err := json.Unmarshal(text, &m.steps); err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	served := httpserve.Serve(l, m, httpserve.Options{Log: slog.New(slog.NewTextHandler(os.Stderr, nil))})
	fmt.Fprintf(os.Stderr, "http://%s\n", l.Addr())
	<-ctx.Done()
	return served.Close(context.Background())
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	var body object
	if err != nil || r.Method != http.MethodPost || json.Unmarshal(text, &body) != nil {
		http.Error(w, `{"error":"this is no model's API"}`, http.StatusNotFound)
		return
	}
	var d dialect
	stream := body["stream"] == true
	switch path := r.URL.Path; {
	case strings.HasSuffix(path, "/count_tokens"):
		fmt.Fprint(w, `{"input_tokens":1}`)
		return
	case strings.HasSuffix(path, "/messages"):
		d = messages
	case strings.HasSuffix(path, "/responses"):
		d = responses
	case strings.HasSuffix(path, "/chat/completions"):
		d = completions
	case strings.Contains(path, "enerateContent"):
		d, stream = generate, strings.HasSuffix(path, ":streamGenerateContent")
	default:
		http.Error(w, `{"error":"this is no model's API"}`, http.StatusNotFound)
		return
	}
	number, tools, last := d.read(body)
	t := turn{number: number, id: fmt.Sprintf("call_%d", number), step: step{Text: "Fine."}}
	if wants, _ := body["generationConfig"].(object); wants["responseMimeType"] == "application/json" {
		t.Text = "{}" // else Gemini CLI asks four times before each prompt, with pauses
	}
	if len(tools) > 0 {
		m.mu.Lock() // a client that asks again waits, too
		defer m.mu.Unlock()
		t.step = m.next(number, tools, last)
		if t.Do != "" && m.once(-number) {
			did, err := exec.CommandContext(context.WithoutCancel(r.Context()), "sh", "-c", t.Do).CombinedOutput()
			fmt.Fprintf(os.Stderr, "did %s: %v %s\n", t.Do, err, did)
			if err != nil {
				m.report("step %d: %s: %v", number+1, t.Do, err)
				m.undone[number] = true
			}
		}
		m.answered = time.Now()
	}
	if t.Tool != "" && !t.find(tools) {
		m.report("there is no tool %s", t.Tool)
		t.step = step{Text: "There is no tool " + t.Tool + "."}
	}
	if !stream {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(d.whole(t)) // the client may have gone
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range d.events(t) {
		data := fault.Must(json.Marshal(e)) // texts
		if named, ok := e.(object); ok && named["type"] != nil {
			fmt.Fprintf(w, "event: %s\n", named["type"])
		}
		fmt.Fprintf(w, "data: %s\n\n", data)
	}
	fmt.Fprint(w, d.end)
}

// next checks what the model is sent, and returns what it does then. The caller must hold mu.
func (m *model) next(number int, tools []tool, last []object) step {
	if number == 0 && !m.checkTools(tools) {
		return step{Text: "The servers are not there yet."}
	}
	if number > 0 && number <= len(m.steps) && m.once(number) {
		said := m.steps[number-1]
		result := fault.Must(json.Marshal(last)) // it was JSON
		took := time.Since(m.answered)
		seen := "yes"
		if m.undone[number-1] {
			seen = "no"
		}
		if !regexp.MustCompile(said.Want).Match(result) || said.Within > 0 && took > time.Duration(said.Within)*time.Second {
			m.report("step %d, %s: after %v the model is sent %.900s, want %s", number, said.Tool, took.Round(time.Millisecond), result, said.Want)
			seen = "no"
		}
		if said.Row != "" {
			fmt.Fprintf(os.Stderr, "ROW\t%s\t%s\n", said.Row, seen)
		}
	}
	if number < len(m.steps) {
		return m.steps[number]
	}
	text := fmt.Sprintf("All %d steps are as expected.", len(m.steps))
	if len(m.problems) > 0 {
		text = "WRONG: " + strings.Join(m.problems, "; ")
	}
	fmt.Fprintln(os.Stderr, text)
	return step{Text: text}
}

// once reports whether a step is checked, or prepared (-number), for the first time: clients ask
// again.
func (m *model) once(number int) bool {
	before := m.checked[number]
	m.checked[number] = true
	return !before
}

// checkTools reports whether the client has connected to our servers. Some do not wait for all.
func (m *model) checkTools(tools []tool) bool {
	count, size := 0, 0
	for _, t := range tools {
		if ours.MatchString(t.name) {
			count, size = count+1, size+t.size
		}
	}
	if count < fewest {
		fmt.Fprintf(os.Stderr, "%d of %d tools are there\n", count, fewest)
		return false
	}
	fmt.Fprintf(os.Stderr, "%d tools of ours have %d bytes\n", count, size)
	if size > longest {
		m.report("the tools of ours have %d bytes, want at most %d", size, longest)
	}
	return true
}

// ours matches the names of our tools, whatever a client puts before them.
var ours = regexp.MustCompile(`(^|_)(ui_[a-z_]+|wsh_[a-z_]+|popup(_wait)?)$`)

func (m *model) report(format string, args ...any) {
	if problem := fmt.Sprintf(format, args...); !slices.Contains(m.problems, problem) {
		m.problems = append(m.problems, problem)
	}
}

// find looks for the tool that a step means.
func (t *turn) find(tools []tool) bool {
	for _, offered := range tools {
		if offered.name == t.Tool || strings.HasSuffix(offered.name, "_"+t.Tool) {
			t.tool = offered
			return true
		}
	}
	return false
}
