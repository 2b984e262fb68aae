package bundle_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/coder/websocket"

	"ui-mcp/internal/testkit/wait"
)

// This file implements as much of a page as the tests need to use every control without a browser.

// A control is a binding of a view definition that a person can use.
type control struct {
	key  string // of the view definition
	slot int
	kind string // value, action, event or key
}

// A live control is one in a page.
type live struct {
	control
	instance int64
	value    json.RawMessage // its content
}

// A definition is a view definition as pages receive it.
type definition struct {
	key   string
	binds []struct {
		kind string
		edit bool
	}
}

type page struct {
	conn *websocket.Conn
	defs map[int64]definition
	live []live
}

// open connects to a session and reads its snapshot.
func (w *world) open(ctx context.Context, session string) (*page, error) {
	conn, _, err := websocket.Dial(ctx, strings.Replace(w.url, "http", "ws", 1)+"/ws/"+session, nil)
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(-1)
	p := &page{conn: conn, defs: map[int64]definition{}}
	var snapshot struct {
		Type string
		Defs []struct {
			ID   int64
			Key  string
			Bind [][]json.RawMessage
		}
		Root json.RawMessage
	}
	if err := p.read(ctx, &snapshot); err != nil || snapshot.Type != "snapshot" {
		conn.CloseNow()
		return nil, fmt.Errorf("the first message is %q, %v", snapshot.Type, err)
	}
	for _, d := range snapshot.Defs {
		def := definition{key: d.Key, binds: make([]struct {
			kind string
			edit bool
		}, len(d.Bind))}
		for i, b := range d.Bind {
			if err := json.Unmarshal(b[1], &def.binds[i].kind); err != nil {
				return nil, err
			}
			if len(b) > 3 {
				var opts struct{ Edit bool }
				if err := json.Unmarshal(b[3], &opts); err != nil {
					return nil, err
				}
				def.binds[i].edit = opts.Edit
			}
		}
		p.defs[d.ID] = def
	}
	return p, p.mount(snapshot.Root)
}

func (p *page) read(ctx context.Context, v any) error {
	_, msg, err := p.conn.Read(ctx)
	if err != nil {
		return err
	}
	return json.Unmarshal(msg, v)
}

// mount walks through an instance and its content.
func (p *page) mount(raw json.RawMessage) error {
	var m []json.RawMessage
	if err := json.Unmarshal(raw, &m); err != nil || len(m) < 3 {
		return err // null: there is no view
	}
	var template, instance int64
	var values []json.RawMessage
	for i, to := range []any{&template, &instance, &values} {
		if err := json.Unmarshal(m[i], to); err != nil {
			return err
		}
	}
	def := p.defs[template]
	for slot, b := range def.binds {
		value := json.RawMessage("null")
		if slot < len(values) {
			value = values[slot]
		}
		switch b.kind {
		case "view":
			if err := p.mount(value); err != nil {
				return err
			}
		case "list":
			if err := p.rows(value); err != nil {
				return err
			}
		case "value", "action", "event", "key":
			if b.kind != "value" || b.edit {
				p.live = append(p.live, live{control{def.key, slot, b.kind}, instance, value})
			}
		}
	}
	return nil
}

func (p *page) rows(value json.RawMessage) error {
	var windowed struct{ Segments [][]json.RawMessage }
	var rows []json.RawMessage
	if json.Unmarshal(value, &windowed) == nil {
		for _, s := range windowed.Segments {
			var part []json.RawMessage
			if err := json.Unmarshal(s[1], &part); err != nil {
				return err
			}
			rows = append(rows, part...)
		}
	} else if err := json.Unmarshal(value, &rows); err != nil {
		return err
	}
	for _, r := range rows {
		if err := p.mount(r); err != nil {
			return err
		}
	}
	return nil
}

// use does what a person does with a control: presses it, or gives it a value. It returns the error
// that the page receives.
func (w *world) use(session string, c control, value json.RawMessage) error {
	ctx, cancel := context.WithTimeout(w.t.Context(), wait.Patience)
	defer cancel()
	p, err := w.open(ctx, session)
	if err != nil {
		return err
	}
	defer p.conn.CloseNow()
	for _, l := range p.live {
		if l.control != c {
			continue
		}
		if value == nil {
			value = l.value
		}
		msg := fmt.Sprintf(`{"type":"events","ref":1,"events":[[%d,%d,%s]]}`, l.instance, l.slot, value)
		if err := p.conn.Write(ctx, websocket.MessageText, []byte(msg)); err != nil {
			return err
		}
		for {
			var answer struct{ Type, Error string }
			if err := p.read(ctx, &answer); err != nil {
				return err
			}
			if answer.Type == "ack" {
				if answer.Error != "" {
					return fmt.Errorf("%s", answer.Error)
				}
				return nil
			}
		}
	}
	return fmt.Errorf("nothing like %v is shown", c)
}

// controls lists the controls in a session's page, one of each kind.
func (w *world) controls(session string) []control {
	w.t.Helper()
	p, err := w.open(w.t.Context(), session)
	if err != nil {
		w.t.Fatal(err)
	}
	defer p.conn.CloseNow()
	seen := map[control]bool{}
	var list []control
	for _, l := range p.live {
		if !seen[l.control] {
			seen[l.control] = true
			list = append(list, l.control)
		}
	}
	return list
}

// useAll uses every control of a session's app once; none may fail. Editable controls get their
// current value, the others are pressed. The shell around the app is left out, since it leads to
// other apps.
func (w *world) useAll(session string) {
	w.t.Helper()
	var buttons []control
	for _, c := range w.controls(session) {
		if strings.HasPrefix(c.key, "MCP.") {
			continue
		}
		if c.kind != "value" {
			buttons = append(buttons, c)
			continue
		}
		if err := w.use(session, c, nil); err != nil {
			w.t.Errorf("editing a control of %s: %v", c.key, err)
		}
	}
	for _, c := range buttons {
		shown := false
		for _, now := range w.controls(session) {
			shown = shown || now == c
		}
		if !shown {
			continue // an earlier control has closed it
		}
		if err := w.use(session, c, json.RawMessage("null")); err != nil {
			w.t.Errorf("pressing a control of %s: %v", c.key, err)
		}
	}
}
