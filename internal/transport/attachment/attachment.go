package frameterm

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/frame"
)

// A clientForm describes a client of ours. Other clients send none, and get what the known ones
// expect.
type clientForm struct {
	// Screens, Adopted: see [term.ViewerOptions].
	Screens bool `json:"screens"`
	Adopted bool `json:"adopted"`
	// Escape is what Ctrl+\ does beside ending capture: "waits" leaves it to the program unless the
	// client detaches soon, "passes" leaves it to the program at once.
	Escape string `json:"escape"`
	// Size is the session's rule for sizes from now on; "" leaves it as it is.
	Size string `json:"size"`
	// ReadOnly drops what the person types.
	ReadOnly bool `json:"read_only"`
	// Forward, Clipboard, ShowAgent: see [term.ViewerOptions].
	Forward   bool `json:"forward"`
	Clipboard bool `json:"clipboard"`
	ShowAgent bool `json:"show_agent"`
	// Paced says that the client sends Drawn for each PtyOutput, and wants the next picture only
	// then. So a slow terminal shows the newest picture, not those that wait on the way to it.
	Paced bool `json:"paced"`
	// Kind says what the client is: see [term.ClientKind]; "" is a person's terminal.
	Kind string `json:"kind"`
	// Name is the client's name. If it is taken, a number is added, unless Exact asks for an error.
	Name  string `json:"name"`
	Exact bool   `json:"exact"`
}

// viewer returns the options for a viewer.
func (f *clientForm) viewer() (term.ViewerOptions, error) {
	if f == nil {
		return term.ViewerOptions{}, nil
	}
	o := term.ViewerOptions{Screens: f.Screens, Adopted: f.Adopted, Forward: f.Forward, Clipboard: f.Clipboard, ShowAgent: f.ShowAgent, Client: term.ClientOptions{Name: f.Name, Exact: f.Exact, ReadOnly: f.ReadOnly}}
	switch kind := term.ClientKind(f.Kind); kind {
	case "", term.ClientAttach, term.ClientWatch:
		o.Client.Kind = kind
	default:
		return o, fault.New(fault.Invalid, `kind is "attach" or "watch", not %.40q`, f.Kind)
	}
	if f.Size != "" {
		var err error
		if o.SizeRule, err = term.ParseSizeRule(f.Size); err != nil {
			return o, err
		}
	}
	switch f.Escape {
	case "waits":
		o.Escape = overlay.EscapeWaits
	case "passes":
		o.Escape = overlay.EscapePasses
	default:
		return o, fault.New(fault.Invalid, `escape is "waits" or "passes", not %.40q`, f.Escape)
	}
	return o, nil
}

// create creates a session and attaches the client. If the program ends before that, the client
// gets what it has left on the screen.
func (c *conn) create(ctx context.Context, f frame.Frame) error {
	var in struct {
		terminals.NewSession
		Client *clientForm `json:"client"`
	}
	if err := f.Decode(&in); err != nil {
		return err
	}
	o, err := in.Client.viewer()
	if err != nil {
		return err
	}
	in.Rows, in.Cols = clamp(in.Rows), clamp(in.Cols)
	taken := 0 // rows of the client's terminal that the session does not get
	if in.Rows != nil {
		taken = o.AgentRows(*in.Rows)
		*in.Rows -= taken
	}
	session, err := terminals.CreateSession.Do(ctx, c.terminals, terminals.Everything, in.NewSession)
	if err != nil {
		return err
	}
	terminal := size{session.Rows + taken, session.Cols}
	o.Ended = true
	v, err := c.terminals.Attach(ctx, terminals.Everything, session.Name, o)
	if err != nil {
		return err
	}
	defer v.Close()
	if err := resize(ctx, v, terminal); err != nil {
		return err
	}
	if c.writeJSON(frame.CreateSessionResponse, struct {
		Name   string `json:"name"`
		Server string `json:"server"`
		PID    int    `json:"pid"`
		Rows   int    `json:"rows"`
		Cols   int    `json:"cols"`
	}{session.Name, session.Server, session.PID, session.Rows, session.Cols}) != nil {
		return nil
	}
	c.stream(ctx, v, terminal, in.Client)
	return nil
}

// clamp returns a number of rows or columns within the limits, since terminals may have any.
func clamp(n *int) *int {
	if n == nil {
		return nil
	}
	return new(min(max(*n, 1), vt.MaxSize))
}

// A size is that of a client's terminal.
type size struct {
	Rows int `json:"rows"`
	Cols int `json:"cols"`
}

func (s size) clamped() size { return size{*clamp(&s.Rows), *clamp(&s.Cols)} }

// attach attaches the client to a session, which gets the size of the client's terminal.
func (c *conn) attach(ctx context.Context, f frame.Frame) error {
	var in struct {
		Name       string
		PID        int // of the program; 0: whichever has the name
		Scrollback json.RawMessage
		size
		Client *clientForm `json:"client"`
	}
	if err := f.Decode(&in); err != nil {
		return err
	}
	lines, err := historyLines(in.Scrollback)
	if err != nil {
		return err
	}
	o, err := in.Client.viewer()
	if err != nil {
		return err
	}
	in.size = in.clamped()
	if in.PID != 0 {
		if in.Name, err = c.nameOf(ctx, in.Name, in.PID); err != nil {
			return err
		}
	}
	v, err := c.terminals.Attach(ctx, terminals.Everything, in.Name, o)
	if err != nil {
		return err
	}
	defer v.Close()
	if err := resize(ctx, v, in.size); err != nil {
		return err
	}
	history, err := v.History(ctx, lines)
	if err != nil {
		return err
	}
	if in.Client != nil {
		response := struct {
			Name string `json:"name"`
			PID  int    `json:"pid"`
			size
			Client string `json:"client"`
		}{v.Name(), v.PID(), in.size, v.ClientName()}
		if c.writeJSON(frame.AttachSessionResponse, response) == nil && (len(history) == 0 || c.write(frame.PtyOutput, history) == nil) {
			if len(history) > 0 {
				c.undrawn = 1
			}
			c.stream(ctx, v, in.size, in.Client)
		}
		return nil
	}
	response, err := c.describe(ctx, v, in.size, history)
	if err != nil {
		return err
	}
	if c.writeJSON(frame.AttachSessionResponse, response) == nil {
		c.stream(ctx, v, in.size, nil)
	}
	return nil
}

// nameOf returns the present name of the session that runs a program, for a client that comes back
// to it: the session may have been renamed, and another one may have its name.
func (c *conn) nameOf(ctx context.Context, name string, pid int) (string, error) {
	list, err := terminals.ListSessions.Do(ctx, c.terminals, terminals.Everything, terminals.SessionFilter{})
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(list, func(s wire.Session) bool { return s.PID == pid && s.Running })
	if i < 0 {
		return "", fault.New(fault.NotFound, "the program of session %q has ended", name)
	}
	return list[i].Name, nil
}

// historyLines returns how many lines of history a client wants: "none", "all" or {"lines": N}. The
// newest are sent.
func historyLines(wish json.RawMessage) (int, error) {
	if len(wish) == 0 {
		return 0, nil
	}
	var word string
	var some struct{ Lines uint32 }
	switch {
	case json.Unmarshal(wish, &word) == nil && word == "all":
		return 1 << 30, nil
	case word == "none" || string(wish) == "null":
		return 0, nil
	case word == "" && json.Unmarshal(wish, &some) == nil:
		return int(some.Lines), nil
	}
	return 0, fault.New(fault.Invalid, `scrollback is "none", "all" or {"lines": N}, not %.40s`, wish)
}

// An attached describes a session to a client that attaches. Bytes are base64.
type attached struct {
	Name string `json:"name"`
	size
	Scrollback []byte  `json:"scrollback"`
	Screen     []byte  `json:"screen"`
	InputMode  string  `json:"input_mode"`
	ScreenMode string  `json:"screen_mode"`
	Focused    *string `json:"focused_id,omitempty"`
}

func (c *conn) describe(ctx context.Context, v terminals.Viewer, s size, history []byte) (a attached, err error) {
	a = attached{Name: v.Name(), size: s}
	target, all := terminals.Target{Session: a.Name}, terminals.Everything
	if len(history) > 0 {
		// The picture begins with an empty screen, so the lines must have scrolled off it.
		history = append(history, strings.Repeat("\r\n", s.Rows)...)
	}
	a.Scrollback = history
	if a.Screen, err = v.Next(ctx); err != nil {
		return a, err
	}
	mode, err := terminals.GetInputMode.Do(ctx, c.terminals, all, target)
	if err != nil {
		return a, err
	}
	screen, err := terminals.GetScreenMode.Do(ctx, c.terminals, all, target)
	if err != nil {
		return a, err
	}
	focus, err := terminals.GetFocus.Do(ctx, c.terminals, all, target)
	if err != nil {
		return a, err
	}
	a.InputMode, a.ScreenMode, a.Focused = string(mode.Mode), string(screen.Mode), focus.ID
	return a, nil
}

// resize sets the size of the client's terminal, and that of the session by its rule.
func resize(ctx context.Context, v terminals.Viewer, s size) error {
	s = s.clamped()
	return v.Resize(ctx, s.Cols, s.Rows)
}

// stream sends pictures and types what the client sends, until either side leaves. form describes a
// client of this program, and is nil for others.
func (c *conn) stream(ctx context.Context, v terminals.Viewer, s size, form *clientForm) {
	ctx, cancel := context.WithCancel(ctx)
	fitted := v.Fit(ctx, s.Cols, s.Rows) // before the client's next size
	var running sync.WaitGroup
	drawn, left := make(chan struct{}), make(chan struct{})
	running.Go(func() {
		defer close(drawn)
		defer c.Close() // ends the reader
		c.draw(ctx, v, s, form, left, fitted)
	})
	running.Go(func() { c.ping(ctx) })
	c.read(ctx, v)
	close(left)
	if form != nil { // the last bytes restore its terminal
		v.Close()
		<-drawn
	}
	cancel()
	running.Wait()
}

// draw sends pictures, and in the end that the client is detached. left is closed when it leaves.
// With an error there are no pictures.
func (c *conn) draw(ctx context.Context, v terminals.Viewer, s size, form *clientForm, left <-chan struct{}, err error) {
	if form == nil && c.syncElements(s) != nil {
		return
	}
	for err == nil {
		if form != nil && form.Paced {
			c.awaitDrawn(ctx, v, left)
		}
		var b []byte
		if b, err = v.Next(ctx); err == nil && c.write(frame.PtyOutput, b) != nil {
			return
		}
		c.undrawn++
	}
	if form != nil {
		_ = c.writeJSON(frame.Detach, newEnd(ctx, v))
		return
	}
	if fault.KindOf(err) != fault.Gone { // the server is closed, or the client has left
		_ = c.write(frame.PtyOutput, render.AppendRestore(nil))
	}
	_ = c.write(frame.Detach, nil)
}

// awaitDrawn waits until the client has drawn all that was sent, or there is no point in that.
func (c *conn) awaitDrawn(ctx context.Context, v terminals.Viewer, left <-chan struct{}) {
	for ; c.undrawn > 0; c.undrawn-- {
		select {
		case <-c.drawn:
		case <-v.Detached():
		case <-left:
		case <-ctx.Done():
		}
	}
}

// syncElements sends empty lists to a client that draws overlays and panels itself: the pictures
// contain them. Such a client may move the cursor then, so the picture that follows is a whole one.
func (c *conn) syncElements(s size) error {
	if err := c.writeJSON(frame.OverlaySync, map[string]any{"overlays": []int{}}); err != nil {
		return err
	}
	return c.writeJSON(frame.PanelSync, map[string]any{"panels": []int{}, "scroll_region_top": 1, "scroll_region_bottom": s.Rows})
}

// newEnd returns why a client is detached.
func newEnd(ctx context.Context, v terminals.Viewer) frame.End {
	switch exit := v.Exit(); {
	case ctx.Err() != nil:
		return frame.End{Reason: frame.Stopping}
	case exit != nil:
		return frame.End{Reason: frame.Exited, Code: exit.Code, Signal: exit.Signal}
	case v.Name() == "":
		return frame.End{Reason: frame.Removed}
	}
	return frame.End{Reason: frame.Detached, Name: v.Name()}
}

// ping sends pings, so that a client notices when the server is gone.
func (c *conn) ping(ctx context.Context) {
	ticker := time.NewTicker(pingTime)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			if c.write(frame.Ping, nil) != nil {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// read handles what an attached client sends, until it leaves.
func (c *conn) read(ctx context.Context, v terminals.Viewer) {
	for {
		f, err := frame.Read(c.in)
		if err != nil {
			c.fail(unlessNetwork(err))
			return
		}
		switch f.Kind {
		case frame.Detach:
			return
		case frame.StdinInput:
			c.typeAll(ctx, v, f.Content)
		case frame.LookBack:
			err = v.LookBack(ctx, f.Content)
		case frame.Forget:
			err = v.ForgetEscape(ctx)
		case frame.Resize:
			var s size
			if err = f.Decode(&s); err == nil {
				err = resize(ctx, v, s)
			}
		case frame.Pong, frame.Ping:
		case frame.Drawn:
			select {
			case c.drawn <- struct{}{}:
			default: // more than were sent
			}
		default:
			err = fault.New(fault.Invalid, "frames of type %02x are not served to attached clients", byte(f.Kind))
		}
		if ctx.Err() != nil {
			return
		}
		if fault.KindOf(err) != fault.Gone { // else the last picture follows
			c.fail(err)
		}
	}
}

const (
	typePiece = 32 << 10        // bytes that are typed at a time
	typeTime  = 5 * time.Second // how long a program may take to read so much that more has room
	typePause = 10 * time.Millisecond
)

// typeAll types input, as fast as the program reads it. Input that a program does not read is
// dropped, as by every terminal. The program gets the time to read once: until it has read
// something, more input is dropped at once, so that a key does not wait for each piece of a large
// paste before it.
func (c *conn) typeAll(ctx context.Context, v terminals.Viewer, b []byte) {
	for len(b) > 0 {
		n := min(len(b), typePiece)
		deadline := time.Now()
		if c.unread == 0 {
			deadline = deadline.Add(typeTime)
		}
		for {
			err := v.Type(ctx, b[:n])
			if err == nil {
				if n >= c.unread { // less may have found room beside it
					c.unread = 0
				}
				break
			}
			if fault.KindOf(err) != fault.Exhausted {
				return // the last picture tells why, if the program has ended
			}
			if !time.Now().Before(deadline) {
				if c.unread == 0 {
					c.unread = n
				}
				c.unread = min(c.unread, n)
				break
			}
			select {
			case <-time.After(typePause):
			case <-v.Detached():
			case <-ctx.Done():
				return
			}
		}
		b = b[n:]
	}
}
