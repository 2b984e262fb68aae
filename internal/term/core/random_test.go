package core

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/agents"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/testkit/load"
)

// facts is a System with fixed answers.
type facts struct {
	TheMode   tty.Mode    `json:",omitzero"`
	Reading   tty.Reading `json:",omitzero"`
	Waits     bool        `json:",omitzero"` // output waits to be parsed
	Late      bool        `json:",omitzero"` // output waits to be read
	Comes     bool        `json:",omitzero"` // some comes whenever the system is asked what reads
	came      bool
	Job       tty.Foreground `json:",omitzero"`
	Began     time.Time      `json:",omitzero"` // of an interactive shell; zero: the job is something else
	Code      uint64         `json:",omitzero"`
	Full      bool           `json:",omitzero"` // input is not accepted
	IsBusy    bool           `json:",omitzero"` // input waits to be written
	Held      bool           `json:",omitzero"` // input waits to be read
	No        bool           `json:",omitzero"` // lines are not permitted
	Took      bool           `json:",omitzero"` // the shell's editor has taken the line that is offered
	Modes     vt.Modes       `json:",omitzero"`
	TheScreen Screen         `json:",omitzero"`
	Text      string         `json:",omitzero"` // before the cursor
	TheAgent  agents.Agent   `json:",omitzero"`
}

func (f *facts) Name() string               { return "s" }
func (f *facts) Mode() tty.Mode             { return f.TheMode }
func (f *facts) Reads() tty.Reading         { f.came = f.Comes; return f.Reading }
func (f *facts) Unread() bool               { return f.Waits }
func (f *facts) Behind() bool               { came := f.came; f.came = false; return f.Waits || f.Late || came }
func (f *facts) Foreground() tty.Foreground { return f.Job }
func (f *facts) Agent() agents.Agent        { return f.TheAgent }
func (f *facts) Shell() (time.Time, bool)   { return f.Began, !f.Began.IsZero() }
func (f *facts) Image() uint64              { return f.Code }
func (f *facts) Busy() bool                 { return f.IsBusy }
func (f *facts) Pending() bool              { return f.IsBusy || f.Held }
func (f *facts) Input() vt.Input            { return vt.Input{Modes: f.Modes} }
func (f *facts) Screen() Screen             { return f.TheScreen }
func (f *facts) Prompt() string             { return f.Text }
func (f *facts) CommandLine(vt.Mark) string { return f.Text }

func (f *facts) Offer(int, string) error { return nil }
func (f *facts) Withdraw() bool          { return !f.Took }

func (f *facts) Accepts([]byte) error {
	if f.Full {
		return fault.New(fault.Exhausted, "full")
	}
	return nil
}

func (f *facts) Permitted(uint64, []byte) error {
	if f.No {
		return fault.New(fault.Precondition, "no")
	}
	return nil
}

// A happening is an input, given some facts, some time after the one before. The timer rings in
// between when it is due.
type happening struct {
	After time.Duration
	Facts facts
	Input Input
}

type writtenHappening struct {
	After time.Duration
	Facts facts
	Kind  string
	Input json.RawMessage
}

func (h happening) MarshalJSON() ([]byte, error) {
	in, err := json.Marshal(h.Input)
	if err != nil {
		return nil, err
	}
	return json.Marshal(writtenHappening{h.After, h.Facts, reflect.TypeOf(h.Input).Name(), in})
}

func (h *happening) UnmarshalJSON(b []byte) error {
	var w writtenHappening
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	of, ok := inputTypes[w.Kind]
	if !ok {
		return fmt.Errorf("there is no input %q", w.Kind)
	}
	in := reflect.New(of)
	if err := json.Unmarshal(w.Input, in.Interface()); err != nil {
		return err
	}
	h.After, h.Facts, h.Input = w.After, w.Facts, in.Elem().Interface().(Input)
	return nil
}

var epoch = time.Unix(1_000_000_000, 0).UTC()

const secretText = "hunter2"

// A replay drives a session, and checks what always holds.
type replay struct {
	*facts
	session *Session
	now     time.Time
	asked   map[uint64]bool // waits; false: over
	out     []string        // the actions
	answers map[uint64]Answer
	typed   string // the input
	refused error  // of the last input
	offered string // the line that the shell's editor may take
}

func newReplay() *replay {
	return &replay{nil, New(Options{PID: 7, Creator: Sender{Kind: SenderMCP}, Shell: "bash"}, epoch), epoch, map[uint64]bool{}, nil, map[uint64]Answer{}, "", nil, ""}
}

func (r *replay) do(h happening) error {
	then := r.now.Add(h.After)
	for ticks := 0; !r.session.Due.IsZero() && !r.session.Due.After(then); ticks++ {
		r.now = r.session.Due
		if err := r.apply(Tick{}, &h.Facts); err != nil {
			return err
		}
		if due := r.session.Due; !due.IsZero() && !due.After(r.now) {
			return fmt.Errorf("the timer that rings at %v is set to %v", r.now, due)
		}
	}
	r.now = then
	return r.apply(h.Input, &h.Facts)
}

func (r *replay) apply(in Input, f *facts) error {
	s := r.session
	ended := s.Exit != nil
	if id := reflect.ValueOf(in).FieldByName("ID"); id.IsValid() && reflect.TypeOf(in) != reflect.TypeFor[Mark]() {
		_, cancelled := in.(Cancel)
		r.asked[id.Uint()] = !cancelled
	}
	r.facts = f
	actions, err := s.Apply(in, r, r.now)
	r.refused = err
	if err != nil && len(actions) > 0 && reflect.TypeOf(in).Name() == "Reply" {
		return fmt.Errorf("a refused reply does something: %v", actions)
	}
	for _, a := range actions {
		text, _ := json.Marshal(a)
		r.out = append(r.out, fmt.Sprintf("%T%s", a, text))
		switch a := a.(type) {
		case Answer:
			if !r.asked[a.ID] {
				return fmt.Errorf("%d is answered, and does not wait", a.ID)
			}
			r.asked[a.ID], r.answers[a.ID] = false, a
			if (a.Result == nil) == (a.Err == nil) {
				return fmt.Errorf("the answer %+v", a)
			}
			if errors.Is(a.Err, ErrUnsettled) {
				return fmt.Errorf("%d has to try again", a.ID)
			}
		case Write:
			r.typed += string(a.Bytes)
			if ended {
				return errors.New("input after the end")
			}
			_, person := in.(Type)
			if _, reply := in.(Reply); s.Keyboard != nil && !person && !reply && a.Typed {
				return errors.New("a line is typed while a person has the keyboard")
			}
		case Taken:
			r.offered = ""
		case SetTimer:
			if a.At.Before(r.now) {
				return fmt.Errorf("a timer for %v at %v", a.At, r.now)
			}
		}
	}
	if r.offered != "" && s.Keyboard != nil {
		return errors.New("a line is offered while a person has the keyboard")
	}
	return r.check()
}

func (r *replay) Offer(_ int, line string) error {
	r.offered, r.out = line, append(r.out, fmt.Sprintf("offers %q", line))
	return nil
}

func (r *replay) Withdraw() bool {
	r.offered = ""
	if !r.Took {
		r.out = append(r.out, "withdraws it")
	}
	return !r.Took
}

// check returns what does not hold of a session and should.
func (r *replay) check() error {
	s := r.session
	if (s.State == StateEnded) != (s.Exit != nil) {
		return fmt.Errorf("state %q, %v", s.State, s.Exit)
	}
	if s.Exit != nil && len(s.Waits) > 0 {
		return errors.New("somebody waits after the end")
	}
	if s.Leader != 0 && (s.find(s.Leader) == nil || s.find(s.Leader).Follows) {
		return fmt.Errorf("the terminal %d leads, and does not take part, or is gone", s.Leader)
	}
	first, watched := true, false
	for _, w := range s.Waits {
		if !r.asked[w.ID] {
			return fmt.Errorf("%d waits, and is over", w.ID)
		}
		if !w.At.IsZero() && (s.Due.IsZero() || w.At.Before(s.Due)) {
			return fmt.Errorf("%d is due at %v, and the timer rings at %v", w.ID, w.At, s.Due)
		}
		if w.Run != nil {
			if !w.Run.Sent.IsZero() && !first {
				return fmt.Errorf("the line of %d is typed before its turn", w.ID)
			}
			watched = watched || first && !w.Run.Sent.IsZero()
			first = false
		}
	}
	for id, waits := range r.asked {
		if waits && !slices.ContainsFunc(s.Waits, func(w *wait) bool { return w.ID == id }) {
			return fmt.Errorf("%d got no answer", id)
		}
	}
	if s.Shell.Watch != nil && !watched {
		return errors.New("the fate of a line is followed that nobody waits for")
	}
	last, size := uint64(0), 0
	for _, e := range s.Ledger.Entries {
		if e.Seq <= last {
			return errors.New("the ledger is not in order")
		}
		last, size = e.Seq, size+len(e.Text)
	}
	if size != s.Ledger.Bytes || size > maxLedger {
		return fmt.Errorf("the ledger has %d bytes, and counts %d", size, s.Ledger.Bytes)
	}
	return nil
}

func written(s *Session) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// run replays happenings. With from, the session is written and read again before that one, and
// both go on.
func run(list []happening, from int) (err error) {
	r := newReplay()
	var other *replay
	at := 0
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
		if err != nil {
			err = fmt.Errorf("at %d: %w", at, err)
		}
	}()
	for i, h := range list {
		if at = i; i == from {
			other = &replay{now: r.now, asked: maps.Clone(r.asked), answers: map[uint64]Answer{}}
			if err := json.Unmarshal([]byte(written(r.session)), &other.session); err != nil {
				return err
			}
			r.out = nil
		}
		if err := r.do(h); err != nil {
			return err
		}
		if other == nil {
			continue
		}
		if err := other.do(h); err != nil {
			return fmt.Errorf("written and read: %w", err)
		}
		if !slices.Equal(r.out, other.out) {
			return fmt.Errorf("written and read, it does something else (-want +got):\n%s", cmp.Diff(r.out, other.out))
		}
		r.out, other.out = nil, nil
	}
	text := written(r.session)
	if strings.Contains(text, secretText) {
		return fmt.Errorf("a secret is kept: %s", text)
	}
	if other != nil && text != written(other.session) {
		return fmt.Errorf("written and read, it becomes something else (-want +got):\n%s", cmp.Diff(text, written(other.session)))
	}
	return nil
}

// shrink returns as few of the happenings as make run fail.
func shrink(list []happening, from int) ([]happening, int) {
	for n := len(list) / 2; n > 0; n /= 2 {
		for i := 0; i+n <= len(list); {
			less, at := slices.Concat(list[:i], list[i+n:]), from
			if at >= i+n {
				at -= n
			} else if at > i {
				at = i
			}
			if run(less, at) != nil {
				list, from = less, at
			} else {
				i += n
			}
		}
	}
	return list, from
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

func randomFacts(r *rand.Rand, now time.Time) facts {
	return facts{
		TheMode: pick(r, tty.ModeLines, tty.ModeKeys, tty.ModeKeys, tty.ModeSecret), Reading: pick(r, tty.Reads, tty.ReadsNot, tty.ReadingUnknown),
		Waits: r.IntN(9) == 0, Late: r.IntN(9) == 0, Job: tty.Foreground{PID: pick(r, 7, 7, 8, 0), Name: pick(r, "bash", "cat")},
		Began: pick(r, time.Time{}, epoch, now), Code: pick(r, uint64(0), 1, 1, 1, 1, 1, 2), Full: r.IntN(30) == 0, IsBusy: r.IntN(9) == 0, Held: r.IntN(9) == 0, No: r.IntN(20) == 0, Took: r.IntN(4) == 0,
		Modes:     pick(r, 0, 0, vt.Modes(1)<<vt.ModeBracketedPaste, 1<<vt.ModeAltScreen),
		TheScreen: Screen{Cursor: vt.Position{Line: uint64(r.IntN(3)), Col: pick(r, 0, 2)}}, Text: pick(r, "", "Password:", "$"),
	}
}

func randomHappenings(seed uint64) ([]happening, int) {
	r := rand.New(rand.NewPCG(seed, 1))
	list := []happening{{Input: Follow{}}}
	now, c := epoch, &chance{Rand: r}
	f := randomFacts(r, now)
	for n := uint64(0); len(list) < 120; n++ {
		after := pick(r, 0, time.Millisecond, 30*time.Millisecond, time.Second, 20*time.Second)
		now = now.Add(after)
		if r.IntN(3) == 0 {
			f = randomFacts(r, now)
		}
		list = append(list, happening{after, f, c.input(n / 8)})
	}
	if r.IntN(14) == 0 {
		list[1+r.IntN(len(list)-1)].Input = End{tty.Exit{Code: 3}}
	}
	return list, r.IntN(len(list))
}

var seeds = flag.Int("seeds", load.Count(80, 2000), "how many random sessions to drive")

// Whatever happens to a session, what should hold of it does, and one that is written and read
// again goes on as it would have. A failure is a file for testdata/replays.
func TestRandomSessions(t *testing.T) {
	t.Parallel()
	for i := range *seeds {
		seed := uint64(i)
		list, from := randomHappenings(seed)
		if run(list, from) == nil {
			continue
		}
		list, from = shrink(list, from)
		err := run(list, from)
		b, _ := json.MarshalIndent(list, "", "\t")
		t.Fatalf("seed %d, written and read before %d: %v\n%s", seed, from, err, b)
	}
}

// What random sessions have found once is tried again, written and read at each place.
func TestReplays(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/replays/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no replays: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var list []happening
			d := json.NewDecoder(bytes.NewReader(b))
			d.DisallowUnknownFields()
			if err := d.Decode(&list); err != nil {
				t.Fatal(err)
			}
			for from := range len(list) {
				if err := run(list, from); err != nil {
					t.Errorf("written and read before %d: %v", from, err)
				}
			}
		})
	}
}
