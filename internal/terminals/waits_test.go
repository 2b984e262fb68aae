package terminals_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
)

// A waiting is an operation that waits in session "a".
type waiting struct {
	op, in string // in has the members beside the session
	before []opcases.Step
	ends   opcases.Step // what ends the wait, or none if time does; % stands for the session's name
	output bool         // any output ends it
	exits  bool         // the end of the program is what it waits for
}

const (
	sendFound  = `{"session":"%","data":"Zm91bmQ="}`
	sendPrompt = `{"session":"%","data":"G10xMzM7QQckIBtdMTMzO0IH"}`
	sendScreen = `{"session":"%","data":"G1s/MTA0OWg="}`
	sendReset  = `{"session":"%","data":"G2M="}`
)

var waitings = map[string]waiting{
	"idle":     {op: "wait.idle", in: `"fresh":true,"timeout_ms":60000,"max_wait_ms":300000`},
	"any idle": {op: "wait.any_idle", in: `"fresh":true,"timeout_ms":60000,"max_wait_ms":300000`},
	"text":     {op: "wait.text", in: `"text":"found"`, ends: opcases.Step{Op: "input.send", In: sendFound}},
	"pattern":  {op: "wait.text", in: `"pattern":"fo+u"`, ends: opcases.Step{Op: "input.send", In: sendFound}},
	"prompt": {
		op: "wait.prompt", in: `"max_wait_ms":300000`, before: []opcases.Step{{Op: "input.send", In: `{"session":"a","data":"eA=="}`}},
		ends: opcases.Step{Op: "input.send", In: `{"session":"%","data":"DQ=="}`},
	},
	"exit":   {op: "wait.exit", in: `"max_wait_ms":300000`, ends: opcases.Step{Op: "session.signal", In: `{"session":"%","signal":"TERM"}`}, exits: true},
	"state":  {op: "wait.state", in: `"states":["fullscreen"]`, ends: opcases.Step{Op: "input.send", In: sendScreen}},
	"ended":  {op: "wait.state", in: `"states":["ended"]`, ends: opcases.Step{Op: "session.signal", In: `{"session":"%","signal":"TERM"}`}, exits: true},
	"keys":   {op: "wait.keys", in: `"max_wait_ms":300000`, before: []opcases.Step{{Op: "input.capture", In: `{"session":"a"}`}}, ends: opcases.Step{Op: "input.release", In: `{"session":"%"}`}},
	"screen": {op: "screen.next", in: `"epoch":1000000,"max_wait_ms":20000`, ends: opcases.Step{Op: "input.send", In: sendFound}, output: true},
	"typed":  {op: "wait.typed", in: `"after":0`, ends: opcases.Step{Op: "input.send", In: sendFound}, output: true},
	"run":    {op: "command.run", in: `"line":"x","timeout_ms":60000,"max_wait_ms":300000`},
}

// start starts an operation, and waits until it waits. The result arrives on the channel.
func (w waiting) start(t *testing.T, l terminals.Terminals) <-chan error {
	t.Helper()
	in := `{"session":"a",` + w.in + `}`
	if w.op == "screen.next" {
		screen, err := terminals.GetScreen.Do(t.Context(), l, terminals.Everything, terminals.ScreenQuery{Target: terminals.Target{Session: "a"}})
		must(t, err)
		in = fmt.Sprintf(`{"session":"a","epoch":%d}`, screen.Epoch)
	}
	done := make(chan error, 1)
	go func() {
		_, err := opcases.Do(t.Context(), l, terminals.Everything, w.op, in)
		done <- err
	}()
	synctest.Wait()
	select {
	case err := <-done:
		t.Fatalf("%s does not wait: %v", w.op, err)
	default:
	}
	return done
}

func do(t *testing.T, l terminals.Terminals, op, in, session string) {
	t.Helper()
	if _, err := opcases.Do(t.Context(), l, terminals.Everything, op, strings.ReplaceAll(in, "%", session)); err != nil {
		t.Fatalf("%s: %v", op, err)
	}
}

// Every wait goes on when its session gets another name, and when the program resets the terminal.
func TestWaitsGoOn(t *testing.T) {
	for name, w := range waitings {
		for _, change := range []string{"rename", "reset"} {
			if change == "reset" && w.output {
				continue
			}
			t.Run(name+", "+change, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					l := opcases.New(t, opcases.Case{Before: w.before})
					done, session := w.start(t, l), "a"
					if change == "rename" {
						session = "b"
						do(t, l, "session.update", `{"session":"a","name":"b"}`, "")
					} else {
						do(t, l, "input.send", sendReset, session)
					}
					synctest.Wait()
					select {
					case err := <-done:
						t.Fatalf("it ended: %v", err)
					default:
					}
					if w.ends.Op != "" {
						do(t, l, w.ends.Op, w.ends.In, session)
					}
					start := time.Now()
					must(t, <-done)
					if took := time.Since(start); w.ends.Op != "" && took > time.Second {
						t.Errorf("it ended after %v", took)
					}
				})
			})
		}
	}
}

// Every wait ends at once when its session is removed.
func TestWaitsEndWithTheSession(t *testing.T) {
	for name, w := range waitings {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := opcases.New(t, opcases.Case{Before: w.before})
				done := w.start(t, l)
				start := time.Now()
				do(t, l, "session.remove", `{"session":"a"}`, "")
				err := <-done
				if took := time.Since(start); took > time.Second {
					t.Errorf("it ended after %v", took)
				}
				kind := fault.KindOf(err)
				if w.exits && err != nil || !w.exits && kind != fault.Gone && kind != fault.NotFound {
					t.Errorf("it ended with %v", err)
				}
			})
		})
	}
}

// needed are the members that an operation with times needs beside its session.
var needed = map[string]string{
	"command.run": `"line":"x",`, "wait.text": `"text":"never",`, "screen.next": `"epoch":1000000,`, "token.create": `"rights":["read"],`,
	"wait.idle": `"timeout_ms":5,`, "wait.any_idle": `"timeout_ms":5,`,
}

// No time is too absurd: it is refused, or counts as the longest one.
func TestAbsurdTimes(t *testing.T) {
	checked := 0
	for _, o := range terminals.All() {
		in, _ := o.New()
		for _, field := range timesOf(reflect.TypeOf(in).Elem()) {
			checked++
			for _, value := range []string{"0", "-0", "-1", "1e3", "1e18", "1000000000000000000", "9223372036854775807", "18446744073709551615", "18446744073709551616", "1e400", "0.5", `"5"`, "true", "[]", "null"} {
				t.Run(o.Name+" "+field+" "+value, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						l := opcases.New(t, opcases.Case{})
						input := `{"session":"a",` + needed[o.Name] + `"` + field + `":` + value + `}`
						in, out := o.New()
						err := decode(terminals.NewDecoder(o, nil, nil), input, in)
						whole := json.Unmarshal([]byte(value), new(uint64)) == nil
						if !whole {
							if fault.KindOf(err) != fault.Invalid {
								t.Errorf("%s is read: %v", input, err)
							}
							return
						}
						if err != nil {
							if value != "null" && fault.KindOf(err) != fault.Invalid {
								t.Errorf("%s: %v", input, err)
							}
							return
						}
						start := time.Now()
						err = l.Do(t.Context(), terminals.Everything, o, in, out)
						if took := time.Since(start); took > term.MaxWait+time.Second {
							t.Errorf("it took %v", took)
						}
						if err != nil && fault.KindOf(err) == fault.Internal {
							t.Error(err)
						}
					})
				})
			}
		}
	}
	if checked < 15 {
		t.Errorf("only %d times were found", checked)
	}
}

// timesOf returns the names of the members of an input that are times.
func timesOf(typ reflect.Type) (names []string) {
	for _, f := range reflect.VisibleFields(typ) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); strings.HasSuffix(name, "_ms") {
			names = append(names, name)
		}
	}
	return names
}
