package core

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/term/vt"
)

// A chance makes random inputs.
type chance struct {
	*rand.Rand
	id uint64 // of the newest wait
	n  uint64 // the number of the prompt, about
}

// next returns the number of a new wait.
func (c *chance) next() uint64 {
	c.id++
	return c.id
}

// any returns the number of a wait, which may be over, or not have begun.
func (c *chance) any() uint64 { return 1 + c.Uint64N(c.id+1) }

func (c *chance) sender() Sender {
	return Sender{Kind: pick(c.Rand, SenderMCP, SenderHTTP, SenderAttach), Name: "n"}
}

func (c *chance) terminal() uint64 { return 1 + c.Uint64N(4) }

// input returns an input of random sessions.
func (c *chance) input(n uint64) Input {
	c.n = n
	return pick(c.Rand, tried...)(c)
}

var (
	inputTypes = map[string]reflect.Type{} // by name
	tried      []func(*chance) Input       // each as often as it is tried
)

// tries adds an input to those of random sessions. The test file of its subject calls it; often
// says how often the input comes, in comparison with others.
func tries[I Input](often int, random func(*chance) I) struct{} {
	of := reflect.TypeFor[I]()
	inputTypes[of.Name()] = of
	for range often {
		tried = append(tried, func(c *chance) Input { return random(c) })
	}
	return struct{}{}
}

var _ = []struct{}{
	tries(10, func(*chance) Output { return Output{} }),
	tries(21, func(c *chance) Mark {
		m := vt.Mark{ID: c.n, N: c.n + uint64(c.IntN(3)), Keyed: c.IntN(8) > 0, Kind: pick(c.Rand, vt.MarkPrompt, vt.MarkCommand, vt.MarkOutput, vt.MarkEnd), At: vt.Position{Line: c.n}}
		if m.Variant = pick(c.Rand, "", "", "", "s", "r1", "h1", "t11", "t22", "e", "1", "0"); m.Kind == vt.MarkEnd && c.IntN(2) == 0 {
			m.HasExitCode, m.ExitCode = true, c.IntN(3)
		}
		return Mark{m}
	}),
	tries(6, func(c *chance) Type {
		from, text := c.sender(), pick(c.Rand, "ls\r", "l", "\x03", "\x1b[200~a\nb\x1b[201~", secretText+"\r")
		e := Typed{From: from, Kind: InputText, Text: text, Count: len(text), Secret: strings.Contains(text, secretText)}
		return Type{From: from, Kind: InputText, Bytes: []byte(text), Entries: []Typed{e}, Signals: text == "\x03", Passive: c.IntN(5) == 0}
	}),
	tries(6, func(c *chance) Run {
		from, line := c.sender(), pick(c.Rand, "make", "", "a\nb")
		return Run{
			ID: c.next(), From: from, Line: line, Timeout: pick(c.Rand, 100*time.Millisecond, 2*time.Second), Background: c.IntN(4) == 0, Begin: c.IntN(4) == 0, AtPrompt: c.IntN(4) == 0, Refuse: c.IntN(8) == 0,
			Entries: []Typed{{From: from, Kind: InputLine, Text: line}},
		}
	}),
	tries(3, func(c *chance) Quiet {
		return Quiet{ID: c.next(), Timeout: pick(c.Rand, time.Second, 10*time.Millisecond), Known: pick(c.Rand, nil, new(c.n))}
	}),
	tries(3, func(c *chance) AwaitState {
		return AwaitState{ID: c.next(), States: pick(c.Rand, nil, []State{StatePrompt}, []State{StateEnded, StateSecret})}
	}),
	tries(3, func(c *chance) AwaitPrompt { return AwaitPrompt{c.next()} }),
	tries(3, func(c *chance) AwaitRequest { return AwaitRequest{c.next()} }),
	tries(3, func(c *chance) AwaitSettled {
		return AwaitSettled{c.next(), RequestKey{State: StateSecret, Text: "Password:"}}
	}),
	tries(3, func(c *chance) Cancel { return Cancel{c.any()} }),
	tries(1, func(*chance) TakeKeyboard { return TakeKeyboard{"me"} }),
	tries(1, func(*chance) GiveKeyboard { return GiveKeyboard{} }),
	tries(1, func(*chance) Tick { return Tick{} }),
	tries(3, func(c *chance) Attend { return Attend{c.IntN(2)} }),
	tries(3, func(c *chance) Reply {
		return Reply{Key: RequestKey{State: StateSecret, Text: "Password:", Job: 7}, Text: secretText, Interrupt: c.IntN(5) == 0}
	}),
	tries(1, func(c *chance) Asking { return Asking{c.IntN(2) == 0} }),
	tries(1, func(*chance) Signal { return Signal{} }),
	tries(1, func(*chance) AgentReported { return AgentReported{} }),
	tries(1, func(*chance) Settle { return Settle{RequestKey{Text: "x"}} }),
	tries(2, func(c *chance) Resize {
		return Resize{c.terminal(), 80 + c.IntN(3), 24, c.IntN(3) == 0, pick(c.Rand, "", SizeLeader, SizeManual)}
	}),
	tries(2, func(c *chance) Lead { return Lead{c.terminal()} }),
	tries(1, func(c *chance) Leave { return Leave{c.terminal()} }),
	tries(1, func(c *chance) SetSize { return SetSize{80 + c.IntN(3), 24} }),
	tries(1, func(c *chance) Log {
		return Log{[]Typed{{From: c.sender(), Kind: InputSignal, Text: "TERM", Count: 1}}}
	}),
	// Random sessions begin with the one, and some have the other.
	tries(0, func(*chance) Follow { return Follow{} }),
	tries(0, func(*chance) End { return End{} }),
}

// Each input is tried.
func TestInputsAreTried(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Name.Name != "apply" || f.Recv == nil {
				continue
			}
			of, ok := f.Recv.List[0].Type.(*ast.Ident)
			if ok {
				n++
			}
			if ok && inputTypes[of.Name] == nil {
				t.Errorf("no random session has the input %s: call tries in the test of its subject", of.Name)
			}
		}
	}
	if n != len(inputTypes) {
		t.Errorf("the package has %d inputs, and %d are tried", n, len(inputTypes))
	}
}
