package term

import (
	"context"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/dialog"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/wake"
)

// framePause is the least time between two pictures on a viewer's terminal. The first change after
// a pause is drawn at once.
const framePause = 10 * time.Millisecond

// A Viewer is a client with a terminal of its own: a person who sees the session on it
// ([Viewer.Next]) and types on it ([Viewer.Type]).
//
// Next may be called from one goroutine at a time, everything else from anywhere.
type Viewer struct {
	*clients.Client
	session *Session
	changed chan struct{} // capacity 1; a token means "there may be another picture"
	o       ViewerOptions
	dialogs dialog.Look

	terminal viewerTerminal // owned by the session's executor
	display  viewerDisplay  // owned by the caller of Next
}

// ViewerOptions describe a viewer's terminal. The zero value suits a part of another program's
// screen. Clients state in JSON what is theirs to decide.
type ViewerOptions struct {
	// Screens, Adopted: see [render.Display].
	Screens bool `json:"screens"`
	Adopted bool `json:"adopted"`
	// Client describes the viewer to others. All that is typed on a viewer that is ReadOnly is
	// dropped, and it never decides the size of the session.
	Client clients.Options `json:"-"`
	// SizeRule becomes the session's when the viewer is first resized; "" leaves that as it is.
	SizeRule core.SizeRule `json:"size"`
	// Forward gives the terminal the program's bell, notifications and progress, unless the viewer
	// is ReadOnly. With Clipboard, the program may also set the terminal's clipboard (OSC 52).
	Forward   bool `json:"forward"`
	Clipboard bool `json:"clipboard"`
	// ShowAgent takes the terminal's last row, if there are enough, for who typed last, what waits,
	// and whether input is captured. The session is as large as the rest.
	ShowAgent bool `json:"show_agent"`
	// Bar takes the terminal's last row, if there are enough rows, for the session's name and what
	// [Viewer.SetBar] sets, while the agent does not have it.
	Bar bool `json:"bar"`
	// Greeting is displayed beside the session's name, in the last row or, where the cursor is in
	// that, in the first, until something is typed on the terminal. The bar displays it if there is
	// one. Empty, it displays nothing. It must be printable.
	Greeting string `json:"greeting"`
	// Prefix precedes the session's name where that is displayed: the name of a host and "/", or
	// nothing. It must be printable.
	Prefix string `json:"-"`
	// Looks displays that the person may not type, as a greeting that stays when something is
	// typed.
	Looks bool `json:"-"`
	// Wheel makes the wheel of the mouse begin to look back while the program's primary screen is
	// active and the program takes no mouse. The terminal then reports the mouse, so that the
	// person selects text with Shift.
	Wheel bool `json:"wheel"`
	// Follows gives the viewer pictures that always have the session's size ([Viewer.PictureSize]).
	// Until the person types or takes the lead ([Viewer.Lead]), the viewer changes nothing: the
	// size that [Viewer.Resize] sets is the one that the session gets then. Without it, the viewer
	// never decides the session's size. The mouse does not take the lead: what the person points at
	// would move away under it.
	Follows bool `json:"follows"`
	// Untrusted says that programs may be at the viewer's other end: what it displays, and what is
	// typed there, takes a way that agents may use, too. It displays no questions, does not count
	// as a person, and types nothing while programs may not: see [Options.AskToType] and
	// [Session.TakeKeyboard].
	Untrusted bool `json:"-"`
	// Asks says that the viewer displays questions itself: its pictures have none, and it gets them
	// by [Viewer.NextQuestion].
	Asks bool `json:"questions"`
	// Followed says that the person gets what this host asks in another way, but questions without
	// an ID: the server that has attached the viewer follows them.
	Followed bool `json:"followed"`
	// Answers says that the person may also reply to what others ask: see
	// [question.Asked.IsOthers].
	Answers bool `json:"-"`
	// Plain dialogs have no colours.
	Plain bool `json:"plain"`
	// Ended allows to view the last picture of a program that has ended.
	Ended bool `json:"-"`
}

func (o *ViewerOptions) isPage() bool { return o.Client.Kind == clients.KindPage }

// viewerTerminal is what the session knows of a viewer's terminal.
type viewerTerminal struct {
	cols, rows int  // without the row for the agent or the bar; 0: the session's, or unknown
	taken      bool // there is a row more, for the agent or the bar
	showAgent  bool // it is the agent's: see ViewerOptions
	bar        Bar  // what the bar displays
	fits       int  // calls of Fit: each makes unknown what the terminal displays

	held            []byte // the start of a control sequence or character: see [Viewer.hold]
	holds           int    // how often something was held back, or nothing any more
	secret          bool   // what was typed last, or held, may be of a secret that the program asked for
	secretLine      bool   // the program has got the start of a secret, and not its end
	greeting        string // what is displayed until something is typed
	keyboard        overlay.Splitter
	prefix          string // the client's key that waits for the next one, or ""
	pointer         pointer
	look            viewerLook
	forwarding      forwarding
	cutTop, cutLeft int // rows and columns of the picture above and left of what it displays

	dialog  *viewerDialog // the question that it displays, or nil
	typedAt time.Time     // when something was last typed on it; zero: never
}

// viewerDisplay is what a viewer's terminal displays.
type viewerDisplay struct {
	render.Display
	fits  int       // when it was drawn: see viewerTerminal
	drawn time.Time // when the last picture was taken
	// bare is the session's part of the last picture, without marks, a question, the history or the
	// row for the agent or the bar. It is nil if there was none of them.
	bare *render.Frame
	over error     // why there are no more pictures
	exit *tty.Exit // how the program has ended, if that is why

	progress bool // it displays the program's progress

	scrolled position // up to which lines have scrolled off it

	asking *asking // the question in the last picture, until that is known to be displayed; or nil
}

// AttachViewer adds a viewer to the session. The caller must Close it.
func (s *Session) AttachViewer(o ViewerOptions) (*Viewer, error) {
	c, err := s.clients.Attach(o.Client)
	if o.Ended && fault.KindOf(err) == fault.Gone {
		c, err = s.clients.Guest(o.Client)
	}
	if err != nil {
		return nil, err
	}
	v := &Viewer{Client: c, session: s, changed: make(chan struct{}, 1), o: o, dialogs: dialog.Look{Plain: o.Plain}}
	v.terminal.showAgent, v.terminal.greeting = o.ShowAgent, o.Greeting
	if o.Looks {
		v.terminal.greeting = strings.TrimSpace(looksText + "  " + o.Greeting)
	}
	v.terminal.taken = o.Follows && (o.ShowAgent || o.Bar)
	v.display.Screens, v.display.Adopted = o.Screens, o.Adopted
	if !v.o.Client.ReadOnly && !v.o.Untrusted && v.IsAttached() {
		s.exec.Post(func() { v.arrive(s.st) })
	}
	return v, nil
}

// Name returns the present name of the session.
func (v *Viewer) Name() string { return v.session.Name() }

// SessionID returns the ID of the session, which a new name does not change.
func (v *Viewer) SessionID() string { return v.session.o.ID }

// PID returns the process ID of the session's program.
func (v *Viewer) PID() int { return v.session.o.PID }

func (v *Viewer) detachedError() error {
	return fault.New(fault.Gone, "the client is detached from session %q: attach again", v.Name())
}

// Close removes the viewer from the session. A call of Next that waits returns.
func (v *Viewer) Close() {
	v.Client.Close()
	v.unsubscribe()
	v.session.exec.Post(func() {
		v.depart(v.session.st)
		v.endLook()
	})
	wake.Up(v.changed)
}

func (v *Viewer) unsubscribe() {
	v.session.exec.Post(func() { delete(v.session.st.waiters, v.changed) })
}

// fit sets the size of the viewer's terminal and forgets what it displays, so that the next picture
// is drawn from scratch. Viewers of another size see as much of the picture as fits (see
// [render.Frame.Fit]). A viewer without a size has that of the session.
func (v *Viewer) fit(st *state, cols, rows int) {
	taken := ViewerOptions{ShowAgent: v.terminal.showAgent, Bar: v.o.Bar}.TakenRows(rows)
	v.terminal.taken = taken > 0 || v.o.Follows && (v.terminal.showAgent || v.o.Bar)
	rows -= taken
	resized := v.terminal.cols != cols || v.terminal.rows != rows
	v.terminal.cols, v.terminal.rows = cols, rows
	v.terminal.fits++
	v.session.clients.Update(v.Client, func(i *clients.Info) { i.Cols, i.Rows = cols, rows })
	if about, ok := v.session.clients.About(v.ID()); ok && resized {
		v.session.reportClient(st, clients.Resized, about)
	}
	wake.Up(v.changed)
}

// Next waits until the viewer's terminal should display something else, and returns the bytes that
// make it do so: see [render.Display.Draw]. They always lead to the newest picture. A slow viewer
// skips pictures and delays nobody.
//
// When the program has ended or the viewer was detached, the last bytes leave the terminal as
// programs expect it (see [render.Display.Leave]). After that the error is of kind Gone. After any
// other error, the caller must restore the terminal.
func (v *Viewer) Next(ctx context.Context) ([]byte, error) {
	d := &v.display
	if d.over != nil {
		return nil, d.over
	}
	v.noteDisplayed() // the caller has written the last picture
	if rest := framePause - time.Since(d.drawn); !d.drawn.IsZero() && rest > 0 {
		if err := v.session.pause(ctx, v.Detached(), rest); err != nil {
			return nil, err
		}
	}
	for {
		p, err := v.look(ctx)
		switch {
		case fault.KindOf(err) == fault.Gone: // the session has been removed
			p.over = err
		case err != nil:
			return nil, err
		}
		var b []byte
		if p.frame != nil {
			b = v.draw(p)
		}
		b = append(b, p.forwarded...)
		d.progress = p.progress
		if p.over != nil {
			d.over, d.exit = p.over, p.exit
			if bare := d.bare; p.frame == nil && bare != nil { // else a question would stay, for example
				if p.cols > 0 && !v.o.Follows {
					bare = bare.Fit(p.cols, p.rows)
				}
				b = d.Draw(b, nil, bare)
			}
			v.unsubscribe()
			if b = d.Leave(b); d.progress {
				b = append(b, "\x1b]9;4;0;0\x1b\\"...)
			}
			return b, nil
		}
		if len(b) > 0 {
			d.drawn = time.Now()
			return b, nil
		}
		v.noteDisplayed() // a question that looks like the one before it
		select {
		case <-v.changed:
		case <-v.Detached():
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// noteDisplayed reports that the terminal displays the last picture.
func (v *Viewer) noteDisplayed() {
	if a := v.display.asking; a != nil {
		v.display.asking = nil
		v.session.exec.Post(func() { v.displayed(v.session.st, a, time.Now()) })
	}
}

// maxHistory is how many bytes of history a viewer gets.
const maxHistory = 4 << 20

// History returns up to n of the newest lines above the program's primary screen as text with
// styles, each with its end, for the scrollback of the viewer's terminal. It leaves out the oldest
// if they are more than 4 MiB.
func (v *Viewer) History(ctx context.Context, n int) ([]byte, error) {
	lines, err := read(ctx, v.session, func(st *state) ([]vt.Line, error) {
		oldest, screen, _ := st.term.Extent()
		return newestLines(st.term.Lines, screen-min(uint64(max(n, 0)), screen-oldest), screen, maxHistory), nil
	})
	if err != nil {
		return nil, err
	}
	return render.AppendHistory(nil, lines, maxHistory), nil
}

// historyPiece is how many lines newestLines reads at a time.
const historyPiece = 1000

// newestLines returns the lines from number first to before end, or the newest of them that have
// limit bytes of text. A session may have a million lines, and does nothing else meanwhile, so it
// reads few more than that.
func newestLines(read func(from uint64, n int) (uint64, []vt.Line), first, end uint64, limit int) []vt.Line {
	var pieces [][]vt.Line
	for size := 0; end > first && size < limit; {
		from := end - min(end-first, historyPiece)
		_, piece := read(from, int(end-from))
		for _, l := range piece {
			if size += len(l.Text); !l.Wraps {
				size += len("\r\n")
			}
		}
		pieces = append(pieces, piece)
		end = from
	}
	slices.Reverse(pieces)
	return slices.Concat(pieces...)
}

// Exit returns how the program has ended, if that is why there are no more pictures, or nil. The
// caller of Next may call it.
func (v *Viewer) Exit() *tty.Exit { return v.display.exit }

// PictureSize returns the size of the last picture, in cells. The caller of Next may call it.
func (v *Viewer) PictureSize() (cols, rows int) {
	if f := v.display.Displayed(); f != nil {
		return f.Cols, f.Rows
	}
	return 0, 0
}

// Unseen says that nobody could see the last picture, as in a window behind others: then a question
// in it does not count as displayed. The caller of Next may call it.
func (v *Viewer) Unseen() { v.display.asking = nil }

// A prospect is what a viewer's terminal should display.
type prospect struct {
	frame      *render.Frame // nil when the viewer was detached
	session    *render.Frame // the session's picture: other than frame while the person looks back
	cols, rows int           // of the terminal; 0: of the session
	fits       int
	question   *overlay.Layer // above the frame, or nil
	asking     *asking        // what it asks
	notice     string         // for the last row
	greeting   string         // see ViewerOptions
	below      rowBelow       // for a row below the frame, or nil
	wheel      bool           // the terminal reports its wheel: see ViewerOptions
	forwarded  []byte         // to write after it: see forwarding
	progress   bool           // the terminal displays the program's progress then
	off        []cells.Row    // what has scrolled off the program's screen, for a terminal of its size
	scrolled   position       // up to where
	over       error          // why this is the last picture, or nil
	exit       *tty.Exit
}

// A position names a line of the history. The number means nothing in another layout.
type position struct{ line, layout uint64 }

// The most that a viewer's terminal gets of what has scrolled off the screen since the last
// picture. A slow terminal takes long to display it.
const (
	maxScrolled      = 256     // lines
	maxScrolledBytes = 3 << 10 // of text
)

// scrolledOff returns the newest lines that have scrolled off the program's screen since a
// position, and the present position.
func (st *state) scrolledOff(since position) ([]cells.Row, position) {
	now := st.term.Snapshot()
	at := position{now.FirstLine, now.Layout}
	if since.layout != at.layout || since.line >= at.line {
		return nil, at
	}
	n := min(at.line-since.line, maxScrolled)
	first, lines := st.term.Lines(at.line-n, int(n))
	lines = lines[:min(uint64(len(lines)), at.line-first)]
	size := 0
	for i, l := range slices.Backward(lines) {
		if size += len(l.Text); size > maxScrolledBytes {
			lines = lines[i+1:]
			break
		}
	}
	return st.composer.Rows(lines), at
}

// look returns what to display, and subscribes v.changed to later changes.
func (v *Viewer) look(ctx context.Context) (prospect, error) {
	s := v.session
	p, screens := prospect{scrolled: v.display.scrolled}, v.display.Screens
	err := s.do(ctx, func(st *state) error {
		switch {
		case st.core.Exit != nil:
			p.over, p.exit = s.goneError(*st.core.Exit), st.core.Exit
			v.endLook()
		case !v.IsAttached():
			p.over, p.cols, p.rows = v.detachedError(), v.terminal.cols, v.terminal.rows
			return nil
		default:
			st.waiters[v.changed] = struct{}{}
		}
		t := &v.terminal
		p.fits, p.notice = t.fits, t.look.notice
		if !v.o.Follows {
			p.cols, p.rows = t.cols, t.rows
		}
		p.forwarded = t.forwarding.append(nil)
		t.forwarding = forwarding{progressing: t.forwarding.progressing}
		p.progress = t.forwarding.progressing
		for _, text := range t.look.copied {
			p.forwarded = appendClipboard(p.forwarded, "c", []byte(text))
		}
		t.look.copied = nil
		if m := t.look.model; m != nil {
			m.Resize(v.size(st))
			p.frame, p.session = m.Frame(st.model.Mode()), st.picture()
		} else {
			p.frame = st.picture()
			p.session = p.frame
			p.wheel = p.over == nil && v.wheelLooks(st)
			if screens {
				p.off, p.scrolled = st.scrolledOff(p.scrolled)
			}
		}
		name := v.o.Prefix + s.Name()
		switch {
		case !t.taken:
		case t.showAgent:
			p.below = st.agentRow()
		default:
			p.below = t.bar.row(name, t.greeting)
		}
		if t.prefix != "" {
			p.notice = t.prefix + " waits for a key: again, it leaves; ? lists the others"
		}
		if p.over == nil {
			if inBar := t.taken && !t.showAgent; t.greeting != "" && !inBar {
				p.greeting = name + "  " + t.greeting
			}
			v.ask(st, &p)
		}
		return nil
	})
	if err != nil {
		return prospect{}, err // p may still be written to
	}
	return p, nil
}

// draw returns the bytes that make the viewer's terminal display a picture.
func (v *Viewer) draw(p prospect) []byte {
	frame, bare := p.frame, p.session
	if p.cols > 0 {
		bare = bare.Fit(p.cols, p.rows)
		if frame == p.session {
			frame = bare
		} else {
			frame = frame.Fit(p.cols, p.rows)
		}
		if p.over == nil {
			frame = frame.Outside(p.frame)
		}
	}
	switch last := frame.Rows - 1; {
	case p.notice != "":
		frame = withNotice(frame, last, p.notice)
	case p.greeting == "" || last == 0:
	case frame.Cursor.Row == last:
		frame = withNotice(frame, 0, p.greeting)
	default:
		frame = withNotice(frame, last, p.greeting)
	}
	if p.wheel {
		frame = withMouse(frame)
	}
	if p.below != nil {
		bare = withRow(bare, cells.Row{})
		var row cells.Row
		if p.over == nil { // else it would stay on the terminal
			row = p.below(frame.Cols, cells.Status, v.loud())
		}
		frame = withRow(frame, row)
	}
	if p.question != nil {
		if frame = frame.Over(*p.question); !frame.Input.Modes.Mouse() {
			frame = withMouse(frame) // for clicks on the question
		}
	}
	v.display.bare = nil
	if frame != bare {
		v.display.bare = bare
	}
	v.display.asking = p.asking
	if p.fits != v.display.fits {
		v.display.Forget()
		v.display.fits = p.fits
	}
	v.display.scrolled = p.scrolled
	top, left := frame.CutTop, frame.CutLeft
	if from := v.display.Displayed(); from == nil || from.CutTop != top || from.CutLeft != left {
		// Before the bytes are out, so that a click on this picture is translated correctly.
		v.session.exec.Post(func() { v.terminal.cutTop, v.terminal.cutLeft = top, left })
	}
	if frame.Cols != p.frame.Cols || top > 0 {
		p.off = nil
	}
	return v.display.Draw(nil, p.off, frame)
}
