package attach

import (
	"bytes"
	"strings"
	"time"

	"ui-mcp/internal/cli/attach/chooser"
	"ui-mcp/internal/cli/attach/outer"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/transport/socketwire"
)

// An own is what the client displays itself, on the whole terminal: see package chooser. Meanwhile
// it does not say that the server's pictures are drawn, so the server sends no more, and none is
// lost.
type own struct {
	plain    bool   // without colours
	keys     string // what to read about the keys
	readOnly bool

	model    *chooser.Model // nil if there is nothing to display
	early    []byte         // what was typed before the model was ready
	waits    bool           // the server has been asked for something: what is typed waits for the answer
	previous identity       // the session before this one, or none
	ended    bool           // the session below has ended

	covers   bool // the terminal displays the model, or did until that went
	switched bool // it has been switched to its alternate screen for that
	display  render.Display
	held     [][]byte // the server's pictures since
}

// A wish is what the person wants of the server. The zero wish wants nothing.
type wish struct {
	open   string // attach to the session with this ID
	rename string // give the session this name
	left   bool   // the person has closed what the client displayed
}

// begin carries out a command that displays something.
func (c *core) begin(command outer.Command, w *wish) {
	current := chooser.Session{ID: c.session.ID, Name: c.session.Name}
	switch {
	case c.own.waits:
	case command == outer.Help:
		c.own.model = chooser.Read(c.own.plain, c.own.keys)
	case command == outer.Rename && c.own.readOnly:
		c.own.model = chooser.Choose(c.own.plain, current, "This terminal only looks, so it cannot rename: use \"wsh rename\".")
	case command == outer.Rename:
		c.own.model = chooser.Rename(c.own.plain, current)
	case command == outer.Previous && c.own.previous.ID != "":
		w.open, c.own.waits = c.own.previous.ID, true
	case command == outer.Previous:
		c.own.model = chooser.Choose(c.own.plain, current, "This terminal has displayed no other session yet: choose one.")
	default:
		c.own.model = chooser.Choose(c.own.plain, current, "")
	}
}

func (o *own) takesKeys() bool { return o.model != nil && !o.waits }

// ownPart handles a part of what was typed, given as it was typed, too.
func (c *core) ownPart(t *typing, p outer.Part, raw []byte) {
	switch p.Command {
	case outer.Pass:
	case outer.LookBack, outer.Agent, outer.Prefix: // which concern what is covered
		return
	default:
		c.own.early = nil
		c.begin(p.Command, &t.wish)
		return
	}
	switch {
	case !c.own.model.Ready() && (p.Key == nil || !chooser.Leaves(*p.Key)):
		if len(p.Bytes) > 0 { // else it was dropped, or comes again, with what follows
			c.own.early = append(c.own.early, raw...)
		}
	case p.Key != nil && p.Key.Event != "release":
		c.press(*p.Key, &t.wish)
	case p.Pasted:
		c.own.model.Paste(string(bytes.TrimSuffix(bytes.TrimPrefix(p.Bytes, []byte(keys.PasteStart)), []byte(keys.PasteEnd))))
	}
}

// show displays a list of sessions, and returns what to do about what was typed before there was
// one.
func (c *core) show(list []chooser.Session, err error, now time.Time) (t typing) {
	c.own.model.Show(list, err)
	for _, s := range list {
		if s.ID == c.session.ID { // another client may have renamed it
			c.session.Name = s.Name
		}
	}
	if early := c.own.early; len(early) > 0 && c.own.model.Ready() {
		c.own.early = nil
		t = c.key(early, now)
	}
	return t
}

// press handles a key for the model.
func (c *core) press(key keys.Key, w *wish) {
	did := c.own.model.Key(key)
	if did.Leave {
		c.own.model, c.own.early, w.left = nil, nil, true
	}
	w.open, w.rename = did.Open, did.Rename
	c.own.waits = w.open != "" || w.rename != ""
}

// refuse tells the person why the server has not done what they asked for. What they have typed
// since was for afterwards, and is dropped.
func (c *core) refuse(reason string) {
	c.own.waits, c.pending, c.full = false, nil, false
	if c.own.model == nil {
		c.begin(outer.Choose, nil)
	}
	c.own.model.Fail(reason)
}

// renamed says that the session has the name that the person wanted. It returns the frames for what
// they have typed since.
func (c *core) renamed(name string) []socketwire.Frame {
	host, _, elsewhere := strings.Cut(c.session.Name, "/") // where the session stays
	if elsewhere && !strings.Contains(name, "/") {
		name = host + "/" + name
	}
	c.session.Name = name
	c.own.waits, c.own.model = false, nil
	if !c.connected || c.leaving {
		return nil
	}
	return c.appendPending(nil)
}

// hold keeps a picture for later if the terminal displays something else.
func (o *own) hold(picture []byte) bool {
	if o.model == nil && !o.covers {
		return false
	}
	o.held = append(o.held, picture)
	return true
}

// A painting is what core.paint returns bytes for.
type painting struct {
	pictures int  // how many of the server's pictures are among them
	whole    bool // the server must draw all of its picture then
}

// paint returns the bytes that display the model, or the session again. The caller calls painted
// when they are written.
func (c *core) paint() (b []byte, p painting) {
	switch {
	case !c.entered:
	case c.own.model != nil:
		cols, rows := max(c.wanted.Cols, 1), max(c.wanted.Rows, 1)
		if !c.own.covers {
			c.own.covers, c.own.switched = true, !c.altScreen && !c.alternate
			if c.own.switched {
				b = c.own.display.Cover(b, cols, rows)
			}
		}
		f := c.own.model.Frame(cols, rows)
		if !c.own.switched {
			f.Input.Modes = 1 << vt.ModeBracketedPaste // else a paste would press Enter
		}
		b = c.own.display.Draw(b, nil, f)
	case c.own.covers:
		p.pictures = len(c.own.held)
		b = c.uncover()
		p.whole = c.altScreen || c.alternate
	}
	return b, p
}

// painted returns the frames to send once a painting is written. The terminal may have been resized
// meanwhile: they have its present size.
func (c *core) painted(p painting) (frames []socketwire.Frame) {
	if !c.connected {
		return nil
	}
	for range p.pictures {
		frames = append(frames, frame(socketwire.Drawn, nil))
	}
	if p.whole {
		frames = c.appendSize(frames)
	}
	return frames
}

// uncover returns the bytes that end what the client displays, and draw what has come since.
func (c *core) uncover() (b []byte) {
	o := &c.own
	switch o.model, o.early = nil, nil; {
	case o.covers && o.switched:
		b = o.display.Uncover(nil, c.cursor)
	case o.covers:
		b = o.display.Leave(nil)
	}
	for _, picture := range o.held {
		c.effects.Draws(picture)
		c.follow(picture)
		b = append(b, picture...)
	}
	o.covers, o.switched, o.display, o.held = false, false, render.Display{}, nil
	return b
}

// follow records what a picture makes of the terminal.
func (c *core) follow(picture []byte) {
	c.alternate = render.Alternate(picture, c.alternate)
	c.cursor = render.CursorVisible(picture, c.cursor)
	c.adopted = c.adopted || !c.alternate
}
