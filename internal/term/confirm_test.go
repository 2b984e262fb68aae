package term_test

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/tty"
)

// A strict person allows everything but lines with "refuse", and keeps what it was asked.
type strict struct {
	mu        sync.Mutex // guards the fields below
	asked     []string
	about     []string
	meanwhile func() // called by the first question
}

var errRefused = errors.New("the person refused this")

func (p *strict) ask(_ context.Context, i term.Inquiry) error {
	p.mu.Lock()
	meanwhile := p.meanwhile
	p.meanwhile = nil
	p.asked, p.about = append(p.asked, i.Quote), append(p.about, string(i.About))
	p.mu.Unlock()
	if meanwhile != nil {
		meanwhile()
	}
	if strings.Contains(i.Quote, "refuse") {
		return errRefused
	}
	return nil
}

// taken returns the lines that were asked about since the last call.
func (p *strict) taken() (lines []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, quote := range p.asked {
		lines = append(lines, strings.Split(strings.TrimSuffix(quote, "\n"), "\n")...)
	}
	p.asked = nil
	return lines
}

// holding is a context of a program that may enter lines with the word rm only if p allows them.
func holding(t *testing.T, p *strict) context.Context {
	return term.WithConfirmation(t.Context(), term.Confirmation{Lines: []*regexp.Regexp{regexp.MustCompile(`\brm\b`)}, Ask: p.ask})
}

// A step is what a program does, the lines that are asked about, and what the terminal gets.
type confirmStep struct {
	do    func(context.Context, *term.Session) error
	asked []string
	gets  string // or "refused"
}

func text(s string) func(context.Context, *term.Session) error {
	return func(ctx context.Context, on *term.Session) error { return on.Send(ctx, []byte(s)) }
}

func paste(s string, names ...string) func(context.Context, *term.Session) error {
	return func(ctx context.Context, on *term.Session) error {
		return on.Type(ctx, term.Input{Text: []byte(s), Paste: true, Keys: names})
	}
}

func press(names ...string) func(context.Context, *term.Session) error {
	return func(ctx context.Context, on *term.Session) error { return on.Keys(ctx, names...) }
}

func withKeys(s string, names ...string) func(context.Context, *term.Session) error {
	return func(ctx context.Context, on *term.Session) error {
		return on.Type(ctx, term.Input{Text: []byte(s), Keys: names})
	}
}

func runs(line string) func(context.Context, *term.Session) error {
	return func(ctx context.Context, on *term.Session) error {
		_, err := on.RunCommand(ctx, line, term.RunOptions{})
		return err
	}
}

// A person is asked about the lines that need it, however they are typed, and about each once. What
// is refused reaches no program.
func TestConfirm(t *testing.T) {
	for name, steps := range map[string][]confirmStep{
		"a command": {
			{runs("rm x"), []string{"rm x"}, "rm x\r"},
			{runs("ls"), nil, "ls\r"},
			{runs("rm refuse"), []string{"rm refuse"}, "refused"},
			{runs("cd\nrm a\nls\nrm \\\nb\n"), []string{"rm a", `rm \`, "rm b"}, "cd\rrm a\rls\rrm \\\rb\r"},
		},
		"text": {
			{text("ls\rrm x\r"), []string{"rm x"}, "ls\rrm x\r"},
			{text("rm refuse\r"), []string{"rm refuse"}, "refused"},
			{paste("rm refuse\nls"), []string{"rm refuse"}, "refused"},
		},
		"with keys, asked once": {
			{withKeys("rm x", "Enter"), []string{"rm x"}, "rm x\r"},
			{paste("rm y", "Enter"), []string{"rm y"}, "rm y\r"},
			{withKeys("ärm", "Enter"), []string{"ärm"}, "ärm\r"},
		},
		"in pieces": {
			{text("r"), nil, "r"},
			{press("n", "Backspace", "m"), nil, "n\x7fm"},
			{paste(" refuse"), nil, " refuse"},
			{press("Enter"), []string{"rm refuse"}, "refused"},
			{runs("!"), []string{"rm refuse!"}, "refused"},
			{press("C-m"), []string{"rm refuse"}, "refused"},
			{press("C-c", "Enter"), nil, "\x03\r"},
		},
		// C-x C-e gives the line to an editor, at whose end the shell runs it.
		"by way of an editor": {
			{text("rm refuse"), nil, "rm refuse"},
			{press("C-x", "C-e"), []string{"rm refuse"}, "refused"},
			{text("!\x18"), []string{"rm refuse!"}, "refused"},
		},
		// Nothing of this is displayed: something else has read the keys.
		"behind the keys of a pager": {
			{press("j"), nil, "j"},
			{press("q"), nil, "q"},
			{text("rm x\r"), []string{"rm x"}, "rm x\r"},
			{press("q"), nil, "q"},
			{runs("rm refuse"), []string{"rm refuse"}, "refused"},
		},
		"a long line": {
			{runs("echo " + strings.Repeat("x", 3000) + "; rm x"), []string{"echo " + strings.Repeat("x", 3000) + "; rm x"}, "echo " + strings.Repeat("x", 3000) + "; rm x\r"},
		},
		"an unknown key": {
			{press("Enter", "Nothing"), nil, "refused"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubbleWith(t, registry.CreateOptions{Cols: 20, Rows: 5}, func(t *testing.T, p *script, s *term.Session) {
				p.become(tty.ModeLines, tty.Reads)
				person := &strict{}
				for i, step := range steps {
					p.forget()
					err := step.do(holding(t, person), s)
					time.Sleep(10 * time.Second)
					got := p.input()
					if err != nil {
						got += "refused"
					}
					if got != step.gets {
						t.Errorf("step %d: the program got %q, %v; want %q", i, got, err, step.gets)
					}
					if asked := person.taken(); !slices.Equal(asked, step.asked) {
						t.Errorf("step %d: asked %q, want %q", i, asked, step.asked)
					}
				}
			})
		})
	}
}

// What is typed key by key at a prompt is one line, without the key that has ended a pager before.
func TestConfirmKeyByKey(t *testing.T) {
	for name, echo := range map[string]bool{"displayed": true, "not displayed": false} {
		t.Run(name, func(t *testing.T) {
			bubbleWith(t, registry.CreateOptions{Cols: 20, Rows: 5}, func(t *testing.T, p *script, s *term.Session) {
				p.become(tty.ModeLines, tty.Reads)
				person := &strict{}
				ctx := holding(t, person)
				for _, key := range []string{"j", "j", "q"} {
					must(t, s.Keys(ctx, key))
					time.Sleep(time.Second)
				}
				p.say("question $ ")
				if echo {
					p.mu.Lock()
					p.sent = p.say
					p.mu.Unlock()
				}
				for _, key := range []string{"r", "m", "Space", "refuse"} {
					time.Sleep(time.Second)
					in := term.Input{Keys: []string{key}}
					if key == "refuse" {
						in = term.Input{Text: []byte(key)}
					}
					must(t, s.Type(ctx, in))
				}
				time.Sleep(time.Second)
				want := []string{"rm refuse"}
				if !echo { // nobody can tell any more
					want = nil
				}
				if err := s.Keys(ctx, "Enter"); (err != nil) != echo || !slices.Equal(person.taken(), want) {
					t.Errorf("%v", err)
				}
			})
		})
	}
}

// What keys have recalled or completed is judged by what the screen displays, when it does.
func TestConfirmRecalled(t *testing.T) {
	for name, tt := range map[string]struct {
		do    func(context.Context, *term.Session) error
		shown string // by the program, when it gets Up
		gets  string
	}{
		"a line that needs permission": {press("Up", "Enter", "a"), "$ rm x", "\x1b[Arefused"},
		"another one":                  {press("Up", "Enter", "a"), "$ ls", "\x1b[A\ra"},
		"as text":                      {text("x\x1b[A\r"), "$ rm x", "x\x1b[Arefused"},
		"wrapped":                      {press("Up", "Enter"), "$ rm " + strings.Repeat("x", 30), "\x1b[Arefused"},
		"in a full-screen program":     {press("Up", "Enter"), "\x1b[?1049h$ rm x", "\x1b[A\r"},
		"by a command":                 {runs("y"), "", "y\r"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newScript()
				p.become(tty.ModeLines, tty.Reads)
				p.sent = func(input string) {
					if strings.Contains(input, "\x1b[A") && tt.shown != "" {
						time.AfterFunc(50*time.Millisecond, func() { p.say(tt.shown) })
					}
				}
				r := scripted(t, nil, p)
				s, person := create(t, r, registry.CreateOptions{Cols: 20, Rows: 5}), &strict{}
				err := tt.do(holding(t, person), s)
				time.Sleep(10 * time.Second)
				got := p.input()
				if err != nil {
					got += "refused"
				}
				if got != tt.gets || len(person.taken()) > 0 {
					t.Errorf("the program got %q, %v; want %q", got, err, tt.gets)
				}
				if err != nil && (fault.DetailOf(err) != core.NotPermitted || !strings.Contains(err.Error(), "type it in full")) {
					t.Errorf("the error is %v", err)
				}
			})
		})
	}
}

// A recalled line is not run as a part of a command, either.
func TestConfirmRecalledBeforeCommand(t *testing.T) {
	bubbleWith(t, registry.CreateOptions{Cols: 20, Rows: 5}, func(t *testing.T, p *script, s *term.Session) {
		p.become(tty.ModeLines, tty.Reads)
		ctx := holding(t, &strict{})
		must(t, s.Keys(ctx, "Up"))
		time.AfterFunc(50*time.Millisecond, func() { p.say("$ rm x") })
		if _, err := s.RunCommand(ctx, " -f", term.RunOptions{}); fault.DetailOf(err) != core.NotTyped || p.input() != "\x1b[A" {
			t.Errorf("the program got %q, %v", p.input(), err)
		}
	})
}

// Nobody is asked about the line that a program reads as a secret. What follows it is refused. A
// person is asked about a line that no program asks for.
func TestConfirmSecret(t *testing.T) {
	for name, tt := range map[string]struct {
		do    func(context.Context, *term.Session) error
		reads tty.Reading
		asked []string
	}{
		"a password":                {text("rm refuse\r"), tty.Reads, nil},
		"a password, as keys":       {withKeys("rm refuse", "Enter"), tty.Reads, nil},
		"nobody reads it":           {text("rm refuse\r"), tty.ReadsNot, []string{"rm refuse"}},
		"a command behind":          {text("hunter2\rrm refuse\r"), tty.Reads, []string{}},
		"a command behind, pasted":  {paste("hunter2\nrm refuse\n"), tty.Reads, []string{}},
		"a command in brackets":     {paste("hunter2\nrm refuse\n"), tty.Reads, []string{}},
		"a command behind, in keys": {withKeys("hunter2\rrm refuse", "Enter"), tty.Reads, []string{}},
		"a command behind C-c":      {text("hunter2\x03rm refuse\r"), tty.Reads, []string{}},
		"a command behind C-d":      {text("\x04rm refuse\r"), tty.Reads, []string{}},
		"a command":                 {runs("rm refuse"), tty.Reads, []string{"rm refuse"}},
	} {
		t.Run(name, func(t *testing.T) {
			bubbleWith(t, registry.CreateOptions{Cols: 20, Rows: 5}, func(t *testing.T, p *script, s *term.Session) {
				person := &strict{}
				if strings.HasSuffix(name, "brackets") {
					p.say("\x1b[?2004h")
					synctest.Wait()
				}
				p.become(tty.ModeSecret, tt.reads)
				err := tt.do(holding(t, person), s)
				if asked := person.taken(); !slices.Equal(asked, tt.asked) || (err != nil) != (tt.asked != nil) {
					t.Errorf("asked %q, want %q; %v", asked, tt.asked, err)
				}
			})
		})
	}
}

// If someone types while the person is asked, what would be entered is not what was allowed. That
// includes what persons type.
func TestConfirmMeanwhile(t *testing.T) {
	types := func(b string) func(*testing.T, *term.Session) {
		return func(t *testing.T, s *term.Session) {
			must(t, s.Send(t.Context(), []byte(b)))
		}
	}
	for name, tt := range map[string]struct {
		meanwhile func(*testing.T, *term.Session)
		refused   bool
	}{
		"the start of a line": {types("sudo "), true},
		"a dropped line":      {types("x\x03"), false},
		"a whole line":        {types("ls\r"), false},
		"a continued line":    {types("cat x \\\r"), true},
		"by a person": {func(t *testing.T, s *term.Session) {
			v := attachWith(t, s, term.ViewerOptions{})
			must(t, v.Type(t.Context(), []byte("sudo ")))
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			bubbleWith(t, registry.CreateOptions{Cols: 20, Rows: 5}, func(t *testing.T, p *script, s *term.Session) {
				person := &strict{meanwhile: func() { tt.meanwhile(t, s) }}
				err := s.Send(holding(t, person), []byte("rm x\r"))
				synctest.Wait()
				if (err != nil) != tt.refused || strings.Contains(p.input(), "rm") == tt.refused {
					t.Errorf("the program got %q, %v", p.input(), err)
				}
				if tt.refused && (fault.DetailOf(err) != core.NotPermitted || !strings.Contains(err.Error(), "meanwhile")) {
					t.Errorf("the error is %v", err)
				}
			})
		})
	}
}

// An answer is for exactly what would be entered, and where: inputs that look the same in a
// question are about different things, and so are the inputs of different programs.
func TestConfirmIsAboutAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := scripted(t, nil, newScript(), newScript(), newScript(), newScript(), newScript())
		a, b, person := create(t, r, registry.CreateOptions{}), create(t, r, registry.CreateOptions{}), &strict{}
		ctx, long, many := holding(t, person), "rm "+strings.Repeat("x", 2000), strings.Repeat("rm x\r", 30)
		for _, input := range []string{long + "a\r", long + "b\r", many + "rm y\r", many + "rm z\r", "rm x\r"} {
			must(t, a.Send(ctx, []byte(input)))
		}
		must(t, b.Send(ctx, []byte("rm x\r")))
		for _, from := range []core.Sender{{Name: "b"}, {Name: "b", Peer: "elsewhere"}, {Token: "1"}, {Kind: core.SenderMCP}} {
			must(t, b.Send(term.WithSender(ctx, from), []byte("rm x\r")))
		}
		for _, o := range []registry.CreateOptions{{}, {Dir: "/"}, {Env: map[string]string{"PATH": "/x"}}} {
			o.Command = "rm x"
			if _, err := r.Create(ctx, o); err != nil {
				t.Fatal(err)
			}
		}
		if all := slices.Compact(slices.Sorted(slices.Values(person.about))); len(all) != 12 {
			t.Errorf("12 different inputs are about %d things", len(all))
		}
	})
}

// The question about the command of a new session says where it would run, and which variables the
// program sets, without the values of those that may be secret.
func TestConfirmCommand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := scripted(t, nil, newScript(), newScript())
		person := &strict{}
		create := func(o registry.CreateOptions) error {
			_, err := r.Create(holding(t, person), o)
			return err
		}
		if err := create(registry.CreateOptions{Command: "top"}); err != nil || person.taken() != nil {
			t.Errorf("a command that needs no permission: %v", err)
		}
		err := create(registry.CreateOptions{Command: "cd\nrm refuse", Dir: "/srv/\u202edata", Env: map[string]string{"PATH": "/opt/bin", "API_KEY": "hunter2", "LC_ALL": "C"}})
		want := []string{"cd", "rm refuse", `in /srv/\u202edata`, "with API_KEY, LC_ALL=C, PATH=/opt/bin"}
		if asked := person.taken(); !errors.Is(err, errRefused) || !slices.Equal(asked, want) {
			t.Errorf("asked %q, want %q; %v", asked, want, err)
		}
		if list := r.List(); len(list) != 1 {
			t.Errorf("%d sessions", len(list))
		}
	})
}

// Where nobody can be asked, such lines are refused.
func TestConfirmWithoutPerson(t *testing.T) {
	bubbleWith(t, registry.CreateOptions{}, func(t *testing.T, p *script, s *term.Session) {
		ctx := term.WithConfirmation(t.Context(), term.Confirmation{Lines: []*regexp.Regexp{regexp.MustCompile("x")}})
		if err := s.Send(ctx, []byte("x\r")); fault.DetailOf(err) != core.NotPermitted || p.input() != "" {
			t.Errorf("the program got %q, %v", p.input(), err)
		}
		if err := s.Mouse(ctx, keys.MouseEvent{Action: keys.Press, Button: keys.Left}); fault.DetailOf(err) == core.NotPermitted {
			t.Errorf("the mouse: %v", err)
		}
	})
}

// Persons who decide who may type are asked once about a text, keys and clicks, and about what is
// submitted, which is displayed before Enter is pressed.
func TestAskOnceAboutAll(t *testing.T) {
	for name, tt := range map[string]struct {
		in   term.Input
		gets []string
	}{
		"bytes, keys and clicks": {term.Input{
			Text: []byte("\xff"), Keys: []string{"Up"},
			Mouse: []keys.MouseEvent{{Action: keys.Press, Button: keys.Left}, {Action: keys.Release, Button: keys.Left}},
		}, []string{"\xff\x1b[A\x1b[M !!\x1b[M#!!"}},
		"a long text": {term.Input{Text: []byte(strings.Repeat("x", 40<<10))}, nil},
		"submitted":   {term.Input{Text: []byte("hi\n"), Submit: true, Keys: []string{"Up"}}, []string{"hi", "\r\x1b[A"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newScript()
				var got []string
				p.sent = func(input string) {
					got = append(got, input)
					if !strings.HasPrefix(input, "x") {
						time.AfterFunc(time.Second, func() { p.say("shown") })
					}
				}
				r := scripted(t, nil, p)
				s := create(t, r, registry.CreateOptions{Name: "s", Cols: 40, Rows: 20, AskToType: true})
				p.say("\x1b[?1000h")
				d := sit(t, s, term.ViewerOptions{})
				result := make(chan error, 1)
				go func() { result <- s.Type(t.Context(), tt.in) }()
				time.Sleep(2 * time.Second)
				for range len(tt.in.Text) / 200 {
					d.press(t, "\x1b[6~") // to the end of what would be typed
					time.Sleep(100 * time.Millisecond)
				}
				d.press(t, "1")
				time.Sleep(time.Second)
				if d.sees("Only this") {
					t.Error("the person is asked twice")
				}
				must(t, <-result)
				if tt.gets != nil && !slices.Equal(got, tt.gets) {
					t.Errorf("the program got %q, want %q", got, tt.gets)
				}
			})
		})
	}
}

// A program that does not react to Enter is reported.
func TestSubmitInVain(t *testing.T) {
	bubbleWith(t, registry.CreateOptions{}, func(t *testing.T, p *script, s *term.Session) {
		if err := s.Type(t.Context(), term.Input{Text: []byte("x"), Submit: true}); fault.KindOf(err) != fault.Timeout || p.input() != "x\r" {
			t.Errorf("the program got %q, %v", p.input(), err)
		}
	})
}

// What follows a paste is typed when the program has drawn something, or soon: some take Enter for
// a part of the paste otherwise.
func TestKeysAfterPaste(t *testing.T) {
	const pasted = "\x1b[200~hi\x1b[201~"
	paste := term.Input{Text: []byte("hi"), Paste: true, Keys: []string{"Enter"}}
	for name, tt := range map[string]struct {
		in    term.Input
		plain bool          // the program takes pastes as they come
		draws time.Duration // after which the program draws; 0: never
		gets  []string
		gap   time.Duration // before the last part, at most
	}{
		"drawn soon":     {paste, false, 20 * time.Millisecond, []string{pasted, "\r"}, 60 * time.Millisecond},
		"never drawn":    {paste, false, 0, []string{pasted, "\r"}, 150 * time.Millisecond},
		"bytes":          {term.Input{Text: []byte("a" + pasted + "\r")}, false, 0, []string{"a" + pasted, "\r"}, 150 * time.Millisecond},
		"nothing behind": {term.Input{Text: []byte("hi"), Paste: true}, false, 0, []string{pasted}, 0},
		"no brackets":    {paste, true, 0, []string{"hi\r"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newScript()
				var got []string
				var at []time.Time
				p.sent = func(input string) {
					got, at = append(got, input), append(at, time.Now())
					if tt.draws > 0 && len(got) == 1 {
						time.AfterFunc(tt.draws, func() { p.say("[pasted]") })
					}
				}
				r := scripted(t, nil, p)
				s := create(t, r, registry.CreateOptions{})
				if !tt.plain {
					p.say("\x1b[?2004h")
				}
				time.Sleep(time.Second)
				err := s.Type(t.Context(), tt.in)
				synctest.Wait()
				if err != nil || !slices.Equal(got, tt.gets) {
					t.Fatalf("the program got %q, want %q, %v", got, tt.gets, err)
				}
				if gap := at[len(at)-1].Sub(at[0]); gap < tt.draws || gap > tt.gap || tt.draws == 0 && gap != tt.gap {
					t.Errorf("the last part came after %v, want %v", gap, tt.gap)
				}
			})
		})
	}
}

// What programs type waits while a person's paste is open, and not for ever.
func TestInputDuringPaste(t *testing.T) {
	for name, tt := range map[string]struct {
		end  string        // of the paste, half a second after its beginning
		gets string        // by the program
		took time.Duration // until the agent has typed
	}{
		"ends":       {"two\x1b[201~", "\x1b[200~one two\x1b[201~agent", 500 * time.Millisecond},
		"goes on":    {"two", "\x1b[200~one twoagent", 1500 * time.Millisecond},
		"never ends": {"", "\x1b[200~one agent", time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			bubbleWith(t, registry.CreateOptions{Cols: 40, Rows: 20}, func(t *testing.T, p *script, s *term.Session) {
				p.say("\x1b[?2004h")
				d := sit(t, s, term.ViewerOptions{})
				time.Sleep(time.Second)
				start := time.Now()
				d.press(t, "\x1b[200~one ")
				result := make(chan error, 1)
				go func() { result <- s.Type(t.Context(), term.Input{Text: []byte("agent")}) }()
				time.Sleep(500 * time.Millisecond)
				if tt.end != "" {
					d.press(t, tt.end)
				}
				must(t, <-result)
				synctest.Wait()
				if took := time.Since(start); p.input() != tt.gets || took != tt.took {
					t.Errorf("the program got %q after %v, want %q after %v", p.input(), took, tt.gets, tt.took)
				}
			})
		})
	}
}

// A question says whose answer does not count: the caller's, if the server's owner holds the line
// back. About what a caller holds back itself, its own person decides.
func TestConfirmSaysWhoseAnswerCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := scripted(t, nil, newScript(), newScript(), newScript(), newScript(), newScript())
		asked := make(chan term.Inquiry, 1)
		ctx := term.WithConfirmation(t.Context(), term.Confirmation{
			Lines: []*regexp.Regexp{regexp.MustCompile("rm")}, Own: []*regexp.Regexp{regexp.MustCompile("sudo")}, Caller: "host KEY",
			Ask: func(_ context.Context, i term.Inquiry) error { asked <- i; return nil },
		})
		s := create(t, r, registry.CreateOptions{})
		for line, want := range map[string]string{"rm x": "host KEY", "sudo true": "", "sudo rm x": "host KEY", "sudo true\nrm x": "host KEY"} {
			must(t, s.Send(ctx, []byte(strings.ReplaceAll(line, "\n", "\r")+"\r")))
			if i := <-asked; i.Caller != want || !strings.Contains(string(i.About), "host KEY") {
				t.Errorf("entering %q: not %q, about %s", line, i.Caller, i.About)
			}
			if _, err := r.Create(ctx, registry.CreateOptions{Command: line}); err != nil {
				t.Fatal(err)
			}
			if i := <-asked; i.Caller != want {
				t.Errorf("starting %q: not %q", line, i.Caller)
			}
		}
	})
}
