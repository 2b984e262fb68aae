package term

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/dialog"
	"ui-mcp/internal/term/escape"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/wake"
)

// The questions of a session are displayed on the terminals of its viewers, one at a time. Each
// terminal displays a question above everything else, and only there do keys answer it: neither the
// program, nor watchers, nor overlays and panels that capture input get them. Reading the screen or
// the composed picture does not show questions. Viewers that display questions themselves, such as
// pages, get them as they are instead: see [Viewer.NextQuestion].

// dialogPause protects persons who are typing: a question appears on a terminal, and takes its
// first key there, only when no key has been typed there for that long, and it takes none before it
// has been displayed for that long.
const dialogPause = 500 * time.Millisecond

// dialogPatience is how long a question waits to be displayed by a terminal. A client that does not
// read displays nothing.
const dialogPatience = 8 * time.Second

// activePause is how long after an asker was told that the person is at its question it is told
// again.
const activePause = time.Second

// NobodyAttached is the detail of [Session.Ask]'s error if no terminal could display the question.
const NobodyAttached fault.Detail = "nobody_attached"

// ErrQuestionLost means that a question that a person has seen cannot be displayed there any more.
var ErrQuestionLost = errors.New("the question is not displayed any more")

type asking struct {
	question dialog.Question
	brokered bool            // it has come with an ID
	seen     bool            // a terminal has displayed it
	reply    *question.Reply // nil until the question is answered
	deliver  func(question.Reply) error
	active   bool      // the person is at it, of which the asker does not know yet
	reported time.Time // when the asker was last told that
	done     bool      // deliver has returned, or there is none and there is a reply
	refused  error     // by deliver
	from     *Viewer   // on whose terminal the person has replied, or nil
	since    time.Time // when it became the first, or a person last typed before it was seen
}

// A viewerDialog is the question that a viewer's terminal displays. The executor owns it.
type viewerDialog struct {
	*dialog.Dialog
	asking *asking
	at     time.Time // when the terminal displayed it; zero: not yet
	armed  bool      // it has taken a key
	// over says that the question ended while the person was typing the answer. The dialog then
	// takes the rest, which is not meant for what is below it or follows it: it may be half a
	// password.
	over bool
}

// afterwards returns the viewer's dialog when its question has ended: one that takes the rest of
// the answer, or nil if the person was not typing it here.
func (v *Viewer) afterwards() *viewerDialog {
	d := v.terminal.dialog
	switch {
	case d == nil || d.over:
		return d
	case !d.TakesText() || d.asking.from == v:
		return nil
	}
	note := d.Note("The question is over", "It was answered elsewhere, or is not asked any more. What you typed was dropped.", "What you type now is dropped, too")
	return &viewerDialog{Dialog: note, asking: d.asking, at: d.at, over: true}
}

// sayRefused tells a person that the answer given on the viewer's terminal did not reach the asker.
func (v *Viewer) sayRefused(a *asking, why error) {
	if !v.IsAttached() {
		return
	}
	note := dialog.New(a.question, v.dialogs).Note("Your answer did not arrive", safetext.Visible(why.Error()), "What you type now is dropped")
	v.terminal.dialog = &viewerDialog{Dialog: note, asking: a, over: true}
}

// A reach says whom questions reach that have an ID.
type reach struct {
	own    bool // a person is asked what this program asks
	others bool // and one what others ask: see [question.Asked.IsOthers]
}

// Ask displays a question on the terminals of all viewers that may type, and returns the first
// reply. When ctx ends, the question is removed and the error is its cause. Without a terminal that
// can display it, the error is of kind Precondition with the detail [NobodyAttached]; if the
// program ends, of kind Gone.
//
// deliver, unless nil, gets [question.Active] while the person is at the question. It is given the
// reply before a page that has given it learns what came of it: nil or the error of deliver. Ask
// returns the reply either way.
//
// Questions queue: the next one, of another caller, is displayed when this one is over, and those
// of other hosts after those of this one. Questions of a broker have an ID, by which pages know
// that they are the same question in several sessions. If the last terminal that has displayed one
// is gone, or the program ends then, the error wraps [ErrQuestionLost]. Others get an ID here, may
// leave out the times and the workspace, and wait until a person comes back, or ctx ends: it must
// have a deadline.
func (s *Session) Ask(ctx context.Context, q dialog.Question, deliver func(question.Reply) error) (question.Reply, error) {
	none := question.Reply{}
	a := &asking{question: q, brokered: q.ID != "", deliver: deliver}
	err := s.doRunning(ctx, func(st *state) error {
		if !a.brokered {
			st.numbered++
			a.question.ID, a.question.Workspace, a.question.Asker = fmt.Sprintf("%s-%d", s.o.ID, st.numbered), s.Name(), question.ByProgram
			a.question.At = time.Now()
			a.question.Deadline = a.question.At.Add(question.MaxTimeout)
			if d, ok := ctx.Deadline(); ok {
				a.question.Deadline = d
			}
		}
		st.enqueue(a)
		st.notify()
		return nil
	})
	if err != nil {
		return none, err
	}
	defer s.exec.Post(func() { s.st.endQuestion(a) })
	var got *question.Reply
	seen := false
	for active := true; active; {
		err = s.awaitRunning(ctx, func(st *state) (verdict, error) {
			if got, seen, active = a.reply, a.seen, a.active; got != nil || active {
				a.active = false
				return verdict{over: true}, nil
			}
			rest, err := s.awaits(st, a, time.Now())
			return verdict{again: rest}, err
		})
		if active = active && err == nil && got == nil; active {
			_ = deliver(question.Reply{Action: question.Active}) // it may be over, as the end of ctx says
		}
	}
	switch {
	case err != nil && a.brokered && seen && ctx.Err() == nil:
		return none, fmt.Errorf("%w: %w", ErrQuestionLost, err)
	case err != nil:
		return none, err
	}
	if deliver != nil {
		refused := deliver(*got)
		s.exec.Post(func() {
			a.done, a.refused = true, refused
			if refused != nil && a.from != nil {
				a.from.sayRefused(a, refused)
			}
			s.st.notify()
		})
	}
	return *got, nil
}

// enqueue puts a question behind those of this host, and those of others that a person has begun to
// answer. What other hosts ask, perhaps for a day, does not keep the person from them.
func (st *state) enqueue(a *asking) {
	i := slices.IndexFunc(st.questions, func(b *asking) bool { return b.question.Host != "" && !st.isBegun(b) })
	if a.question.Host != "" || i < 0 {
		i = len(st.questions)
	} else {
		st.questions[i].since = time.Time{} // it waits again
	}
	st.questions = slices.Insert(st.questions, i, a)
}

func (st *state) isBegun(a *asking) bool {
	for v := range st.persons {
		if d := v.terminal.dialog; d != nil && d.asking == a && d.armed {
			return true
		}
	}
	return false
}

// answer gives the question its reply, from a viewer's dialog or, if that is nil, from a page.
func (a *asking) answer(r question.Reply, from *Viewer) {
	a.reply, a.from, a.done = &r, from, a.deliver == nil
}

// awaits returns an error if a question can no longer be answered, and otherwise the time for which
// it can; 0 means until something changes.
func (s *Session) awaits(st *state, a *asking, now time.Time) (time.Duration, error) {
	there := false
	typed := a.since
	for v := range st.persons {
		if v.IsAttached() && v.takes(a) {
			there = true
			if v.terminal.typedAt.After(typed) {
				typed = v.terminal.typedAt
			}
		}
	}
	nobody := fault.With(NobodyAttached, fault.New(fault.Precondition, "no terminal that could display the question is attached to session %q", s.Name()))
	switch {
	case !there && a.seen && a.brokered:
		return 0, fault.New(fault.Gone, "the terminals that displayed the question are not attached to session %q any more", s.Name())
	case !there && !a.seen:
		return 0, nobody
	case a.seen || st.questions[0] != a:
		return 0, nil
	case a.since.IsZero():
		a.since, typed = now, now
	}
	if rest := dialogPatience - now.Sub(typed); rest > 0 {
		return rest, nil
	}
	return 0, nobody
}

// atIt notes that the person is at a question, of which its asker is told now and then.
func (a *asking) atIt(now time.Time) {
	if a.deliver != nil && a.reply == nil && now.Sub(a.reported) >= activePause {
		a.active, a.reported = true, now
	}
}

// endQuestion removes a question from all terminals.
func (st *state) endQuestion(a *asking) {
	i := slices.Index(st.questions, a)
	if i < 0 {
		return
	}
	st.questions = slices.Delete(st.questions, i, i+1)
	for v := range st.persons {
		if v.terminal.dialog != nil && v.terminal.dialog.asking == a {
			v.terminal.dialog = v.afterwards()
		}
	}
	st.notify()
}

// takes reports whether the viewer is one that displays a question.
func (v *Viewer) takes(a *asking) bool {
	if v.o.Client.ReadOnly || v.o.Untrusted {
		return false
	}
	switch r := v.reach(); {
	case !a.brokered:
		return true
	case v.o.Followed && a.question.PassesTo(true):
		return false
	case a.question.IsOthers():
		return r.others
	default:
		return r.own
	}
}

// reach says which questions reach the person at a viewer that may type.
func (v *Viewer) reach() reach {
	own := !(v.o.isPage() && v.session.owner.PagesAsk)
	return reach{own && !v.o.Followed, own && v.o.Answers}
}

// asked returns the question that the viewer is to display, or nil.
func (v *Viewer) asked(st *state) *asking {
	return v.find(st, func(*asking) bool { return true })
}

// askedAs returns the question of that ID, or nil. The viewer may have displayed it until another
// one came first.
func (v *Viewer) askedAs(st *state, id string) *asking {
	return v.find(st, func(a *asking) bool { return a.question.ID == id })
}

func (v *Viewer) find(st *state, is func(*asking) bool) *asking {
	for _, a := range st.questions {
		if v.takes(a) && is(a) {
			return a
		}
	}
	return nil
}

// NextQuestion waits until the viewer is to display another question than the one with that ID, and
// returns it; nil means none. It is for viewers that display questions themselves (see
// [ViewerOptions]). The error is of kind Gone when the viewer was detached or the program has
// ended.
func (v *Viewer) NextQuestion(ctx context.Context, id string) (*question.Asked, error) {
	var next *question.Asked
	err := v.session.awaitRunning(ctx, func(st *state) (verdict, error) {
		if !v.IsAttached() {
			return verdict{}, v.detachedError()
		}
		next = nil
		now := ""
		if a := v.asked(st); a != nil && !a.done {
			next, now = &a.question.Asked, a.question.ID
		}
		return verdict{over: now != id}, nil
	})
	return next, err
}

// QuestionSeen says that the person can see a question.
func (v *Viewer) QuestionSeen(ctx context.Context, id string) error {
	return v.session.doRunning(ctx, func(st *state) error {
		if a := v.askedAs(st, id); a != nil && !a.seen {
			a.seen = true
			st.notify()
		}
		return nil
	})
}

// AnswerQuestion gives the person's reply to a question that the viewer displays, and returns when
// the asker has it. The error is of kind Invalid if the question does not accept it, and
// Exists if the question is over; others come from the asker.
func (v *Viewer) AnswerQuestion(ctx context.Context, id string, r question.Reply) error {
	over := fault.New(fault.Exists, "this question is over")
	var a *asking
	err := v.session.doRunning(ctx, func(st *state) error {
		a = v.askedAs(st, id)
		if a == nil || a.reply != nil {
			return over
		}
		if r.Action == question.Active {
			a.atIt(time.Now())
			st.notify()
			return nil
		}
		if _, err := a.question.Question.Accept(r); err != nil {
			return err
		}
		a.seen = true
		a.answer(r, nil)
		st.notify()
		return nil
	})
	if err != nil || r.Action == question.Active {
		return err
	}
	return v.session.await(ctx, func(st *state) (verdict, error) {
		if !a.done && !slices.Contains(st.questions, a) { // the asker has left before it had the reply
			return verdict{}, over
		}
		return verdict{over: a.done}, a.refused
	})
}

// ask adds the question that the viewer's terminal should display now, if there is one.
func (v *Viewer) ask(st *state, p *prospect) {
	t := &v.terminal
	a := v.asked(st)
	switch {
	case t.dialog != nil && t.dialog.over:
	case a == nil || v.o.Asks:
		t.dialog = nil
	case a.reply != nil:
		t.dialog = v.afterwards()
	case t.dialog == nil || t.dialog.asking != a:
		if rest := dialogPause - time.Since(t.typedAt); !t.typedAt.IsZero() && rest > 0 {
			t.dialog = nil
			time.AfterFunc(rest, func() { wake.Up(v.changed) })
		} else {
			t.dialog = &viewerDialog{Dialog: dialog.New(a.question, v.dialogs), asking: a}
		}
	}
	if t.dialog == nil {
		return
	}
	cols, rows := p.cols, p.rows
	if cols == 0 {
		cols, rows = p.frame.Cols, p.frame.Rows
	}
	p.question, p.asking = new(t.dialog.Draw(cols, rows)), t.dialog.asking
}

// displayed records that the viewer's terminal displays a question.
func (v *Viewer) displayed(st *state, a *asking, now time.Time) {
	if d := v.terminal.dialog; d != nil && d.asking == a && (d.at.IsZero() || !a.seen) {
		d.at, a.seen = cmp.Or(d.at, now), true
		st.notify()
	}
}

// answers gives what was typed to the viewer's question, and reports whether there is one.
func (v *Viewer) answers(st *state, b []byte, now time.Time) bool {
	t := &v.terminal
	since := t.typedAt
	if isAction(b) {
		t.typedAt = now
	}
	d := t.dialog
	if d == nil || d.at.IsZero() {
		return false
	}
	if isAction(b) && !d.over {
		d.asking.atIt(now)
	}
	paused := now.Sub(d.at) >= dialogPause && (since.IsZero() || now.Sub(since) >= dialogPause)
	var typed []*keys.Key
	var pasted []byte // without brackets: text that arrives together
	for len(b) > 0 {
		pasting := t.keyboard.Pasting()
		n, key := t.keyboard.Next(b)
		piece := b[:n]
		b = b[n:]
		if report, ok := keys.ParseMouse(piece); ok && !pasting {
			if d.armed = d.armed || paused && report.Pressed(); !d.over && (d.armed || !report.Pressed()) {
				v.decide(d.Mouse(report))
			}
			continue
		}
		if key == nil || utf8.RuneCountInString(key.Key) == 1 && len(key.Modifiers) == 0 {
			pasted = append(pasted, piece...)
		}
		typed = append(typed, key)
	}
	switch {
	case d.over:
		if len(typed) == 1 && typed[0] != nil && d.Key(*typed[0]) == dialog.PutAway {
			t.dialog = nil
		}
	case !(d.armed || paused):
	case len(typed) == 1 && typed[0] != nil:
		d.armed = true
		v.decide(d.Key(*typed[0]))
	case d.armed && len(typed) > 0:
		// Keys that arrive together are pasted, or were typed before the person could see the
		// question. They are text for one who is typing it, and nothing else.
		d.Paste(pastedText(pasted))
	}
	st.notify() // the dialog may look different
	return true
}

// decide gives the question that the viewer displays a reply, if it is one and the first.
func (v *Viewer) decide(r dialog.Reply) {
	if d := v.terminal.dialog; r != dialog.Undecided && d.asking.reply == nil {
		d.asking.answer(d.Reply(r), v)
	}
}

// pastedText returns text without the brackets of a paste, and without other control sequences.
func pastedText(b []byte) string {
	var text strings.Builder
	for len(b) > 0 {
		i := bytes.IndexByte(b, 0x1b)
		if i < 0 {
			i = len(b)
		}
		text.Write(b[:i])
		if b = b[i:]; len(b) == 0 {
			break
		}
		n, _ := escape.Next(b)
		b = b[n:]
	}
	return text.String()
}

// arrive registers a viewer that may type with the session, and depart removes it.
func (v *Viewer) arrive(st *state) {
	st.persons[v] = struct{}{}
	v.forwardProgress(st)
	v.session.attend(st)
	v.session.owner.Attended()
}

func (v *Viewer) depart(st *state) {
	if _, ok := st.persons[v]; ok {
		delete(st.persons, v)
		v.session.attend(st)
	}
}

// attend takes note of the viewers that may type.
func (s *Session) attend(st *state) {
	st.reach = reach{}
	for v := range st.persons {
		r := v.reach()
		st.reach = reach{st.reach.own || r.own, st.reach.others || r.others}
	}
	_ = s.apply(st, core.Attend{Persons: len(st.persons)}) // it never fails
}
