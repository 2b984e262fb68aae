package mcpterm

import (
	"bytes"
	"context"
	"encoding/base64"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/mcpserver"
)

// An encoding is how wsh_send_input is given what to type.
type encoding string

type sendInput struct {
	Session  string   `json:"session"`
	Input    *string  `json:"input,omitempty" jsonschema:"typed as it is"`
	Encoding encoding `json:"encoding,omitempty" jsonschema:"default utf8"`
	Keys     []string `json:"keys,omitempty" jsonschema:"pressed after input: Enter, Escape, Up, C-c, M-x, S-Tab, F5..."`
	Paste    bool     `json:"paste,omitempty" jsonschema:"several lines, in editors"`
	Secret   bool     `json:"secret,omitempty" jsonschema:"not in the ledger"`
	Mouse    *mouse   `json:"mouse,omitempty" jsonschema:"if the program uses it"`
}

type mouse struct {
	Action string `json:"action,omitempty" jsonschema:"click (default), press, release or move"`
	Button string `json:"button,omitempty" jsonschema:"left (default), middle, right, wheel-up, wheel-down or none"`
	Row    int    `json:"row" jsonschema:"from 0"`
	Col    int    `json:"col" jsonschema:"from 0"`
}

// events returns the mouse events of an action.
func (m mouse) events(of terminals.Target) []terminals.MouseAction {
	e := terminals.MouseAction{Target: of, Action: keys.Action(m.Action), Button: keys.Button(m.Button), Row: m.Row, Col: m.Col}
	if m.Button == "" {
		e.Button = keys.Left
	}
	if m.Action != "" && m.Action != "click" {
		return []terminals.MouseAction{e}
	}
	press, release := e, e
	press.Action, release.Action = keys.Press, keys.Release
	if isWheel(e.Button) {
		return []terminals.MouseAction{press}
	}
	return []terminals.MouseAction{press, release}
}

func isWheel(b keys.Button) bool {
	return b == keys.WheelUp || b == keys.WheelDown || b == keys.WheelLeft || b == keys.WheelRight
}

// sent is the answer of wsh_send_input.
type sent struct {
	done
	Bytes int `json:"bytes"` // of input
}

func (f *Face) addSend(s *mcpserver.Server) {
	mcpserver.AddTool(s, mcpserver.Tool{
		Name:        "wsh_send_input",
		Title:       "Type into a session",
		Description: "Types text or presses keys; returns at once. Enter is not added: give keys [\"Enter\"]. Then wsh_await_quiesce and wsh_get_screen. At a prompt prefer wsh_run_command.",
		Hints:       mcpserver.Hints{ReadOnly: mcpserver.No, Destructive: mcpserver.Yes, Idempotent: mcpserver.No, OpenWorld: mcpserver.Yes},
		Order:       ofSession,
		Schemas:     map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[encoding](): {Type: "string", Enum: []any{"utf8", "base64"}}},
	}, func(ctx context.Context, in sendInput) (mcpserver.Result, error) {
		if in.Input == nil && in.Keys == nil && in.Mouse == nil {
			return mcpserver.Result{}, fault.New(fault.Invalid, `missing argument "input": give input, keys or mouse`)
		}
		text, err := in.text()
		if err != nil {
			return mcpserver.Result{}, err
		}
		to, err := f.recipient(ctx, in.Session)
		if err != nil {
			return mcpserver.Result{}, err
		}
		need, err := f.typeInput(ctx, to, in, text)
		if fault.DetailOf(err) == term.NotAsked { // so nothing was typed
			to.secret = false
			need, err = f.typeInput(ctx, to, in, text)
		}
		if need != nil || err != nil {
			return resultOf(need), err
		}
		return mcpserver.JSON(sent{done{Success: true, Status: "sent"}, len(text)})
	})
}

// typeInput types what wsh_send_input is given, as far as the person allows it; need is as
// [Permission] has it.
func (f *Face) typeInput(ctx context.Context, to recipient, in sendInput, text []byte) (need *mcpserver.Result, err error) {
	list, err := f.pieces(to.Target, in, text, false)
	if err != nil {
		return nil, err
	}
	allowed, need, err := f.permit(ctx, to, list)
	if need != nil || err != nil {
		return need, err
	}
	if f.pattern(ctx) != nil {
		line, err := f.lines.copyOf(ctx, to.Session)
		if err != nil {
			return nil, err
		}
		if enterUnknown(line, list) {
			if list, err = f.pieces(to.Target, in, text, true); err != nil {
				return nil, err
			}
		}
	}
	return nil, f.typePieces(ctx, to, allowed, list)
}

// text returns the decoded input; nil without an input.
func (in sendInput) text() ([]byte, error) {
	switch {
	case in.Input == nil:
		return nil, nil
	case in.Encoding != "base64":
		return []byte(*in.Input), nil
	}
	data, err := base64.StdEncoding.DecodeString(*in.Input)
	if err != nil {
		return nil, fault.New(fault.Invalid, "the input is not base64: %v", err)
	}
	return data, nil
}

// pieces returns what wsh_send_input types, in one piece for each kind of input. With split, each
// line end is a piece of its own, unless it is pasted.
func (f *Face) pieces(of terminals.Target, in sendInput, text []byte, split bool) (list []piece, err error) {
	if in.Input != nil {
		list = f.textPieces(of, text, in.Paste, in.Secret, split)
	}
	if in.Keys != nil {
		pressed, err := f.keyPieces(of, in.Keys, in.Secret, split)
		if err != nil {
			return nil, err
		}
		if !split && len(list) == 1 && len(in.Keys) > 0 && utf8.Valid(text) {
			list, pressed = nil, []piece{f.together(of, in, string(text), list[0], pressed[0])}
		}
		list = append(list, pressed...)
	}
	if in.Mouse != nil {
		for _, e := range in.Mouse.events(of) {
			list = append(list, piece{send: func(ctx context.Context, _ bool) error {
				_, err := do(ctx, f, terminals.MoveMouse, e)
				return err
			}})
		}
	}
	return list, nil
}

// together is the piece of a text and of the keys after it: a person who decides who may type is
// asked about both at once.
func (f *Face) together(of terminals.Target, in sendInput, typed string, text, pressed piece) piece {
	return piece{slices.Concat(text.typed, pressed.typed), func(ctx context.Context, asked bool) (err error) {
		secrecy := terminals.Secrecy{Secret: in.Secret, Asked: asked}
		if in.Paste {
			_, err = do(ctx, f, terminals.PasteText, terminals.PastedText{Target: of, Text: typed, Keys: in.Keys, Secrecy: secrecy})
		} else {
			_, err = do(ctx, f, terminals.PressKeys, terminals.KeyNames{Target: of, Text: typed, Keys: in.Keys, Secrecy: secrecy})
		}
		return err
	}}
}

// textPieces are the pieces of text. Pasted text is one.
func (f *Face) textPieces(of terminals.Target, data []byte, paste bool, secret, split bool) (list []piece) {
	if paste {
		// Tabs that are pasted complete nothing.
		clean := bytes.ReplaceAll(keys.Paste(string(data), keys.Mode{}), []byte("\t"), []byte(" "))
		return []piece{{clean, func(ctx context.Context, asked bool) error {
			_, err := do(ctx, f, terminals.PasteText, terminals.PastedText{Target: of, Text: string(data), Secrecy: terminals.Secrecy{Secret: secret, Asked: asked}})
			return err
		}}}
	}
	for first := true; first || len(data) > 0; first = false {
		part := data
		if i := bytes.IndexAny(data, lineEnds); split && i >= 0 {
			part = data[:max(i, 1)]
		}
		data = data[len(part):]
		list = append(list, piece{part, func(ctx context.Context, asked bool) error {
			_, err := do(ctx, f, terminals.SendInput, terminals.Input{Target: of, Data: part, Secrecy: terminals.Secrecy{Secret: secret, Asked: asked}})
			return err
		}})
	}
	return list
}

// lineEnds are the characters that enter a line.
const lineEnds = "\r\n\x0f"

// unknownKey is a sequence that no key sends.
const unknownKey = "\x1b[0~"

// keyPieces are the pieces of named keys.
func (f *Face) keyPieces(of terminals.Target, names []string, secret, split bool) (list []piece, err error) {
	encoded := make([][]byte, len(names))
	for i, name := range names {
		if encoded[i], err = keys.Encode(name, keys.Mode{}); err == nil {
			continue
		}
		if _, err := keys.Encode(name, keys.Mode{Keys: ^vt.KeyFlags(0)}); err != nil && split {
			return nil, err // before any key is pressed
		}
		encoded[i] = []byte(unknownKey)
	}
	enters := func(i int) bool { return bytes.ContainsAny(encoded[i], lineEnds) }
	for from, to := 0, 0; from < len(names) || list == nil; from = to {
		for to < len(names) && (to == from || !split || !enters(to) && !enters(to-1)) {
			to++
		}
		group := names[from:to]
		list = append(list, piece{bytes.Join(encoded[from:to], nil), func(ctx context.Context, asked bool) error {
			_, err := do(ctx, f, terminals.PressKeys, terminals.KeyNames{Target: of, Keys: group, Secrecy: terminals.Secrecy{Secret: secret, Asked: asked}})
			return err
		}})
	}
	return list, nil
}

// A mode is one to switch the input to.
type mode string

type inputModeInput struct {
	Session string `json:"session"`
	Mode    mode   `json:"mode,omitempty" jsonschema:"omit to get it"`
	Focus   string `json:"focus,omitempty" jsonschema:"id of an overlay or panel"`
	Unfocus bool   `json:"unfocus,omitempty"`
}

// An inputMode is the answer of wsh_input_mode.
type inputMode struct {
	Mode    string  `json:"mode"`
	Focused *string `json:"focused_element,omitempty"`
}

func (f *Face) addInputMode(s *mcpserver.Server) {
	mcpserver.AddTool(s, mcpserver.Tool{
		Name:        "wsh_input_mode",
		Title:       "Capture the person's keys",
		Description: "Gets or sets who gets the person's keys: the program (passthrough) or you (capture; read them with wsh_await_quiesce, keys). Returns mode and focused_element.",
		Hints:       mcpserver.Hints{ReadOnly: mcpserver.No, Destructive: mcpserver.No, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.No},
		Order:       ofSession,
		Schemas:     map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[mode](): {Type: "string", Enum: []any{"capture", "release"}}},
	}, func(ctx context.Context, in inputModeInput) (mcpserver.Result, error) {
		if err := f.setInputMode(ctx, in); err != nil {
			return mcpserver.Result{}, err
		}
		of := terminals.Target{Session: in.Session}
		m, err := do(ctx, f, terminals.GetInputMode, of)
		if err != nil {
			return mcpserver.Result{}, err
		}
		focused, err := do(ctx, f, terminals.GetFocus, of)
		if err != nil {
			return mcpserver.Result{}, err
		}
		return mcpserver.JSON(inputMode{string(m.Mode), focused.ID})
	})
}

// setInputMode makes the changes that wsh_input_mode was asked for.
func (f *Face) setInputMode(ctx context.Context, in inputModeInput) error {
	of := terminals.Target{Session: in.Session}
	if in.Focus != "" && in.Unfocus {
		return fault.New(fault.Invalid, "give either focus or unfocus")
	}
	var err error
	switch in.Mode {
	case "capture":
		_, err = do(ctx, f, terminals.CaptureInput, of)
	case "release":
		_, err = do(ctx, f, terminals.ReleaseInput, of)
	}
	if err != nil {
		return err
	}
	switch {
	case in.Focus != "":
		_, err = do(ctx, f, terminals.FocusElement, terminals.FocusTarget{Target: of, ID: in.Focus})
	case in.Unfocus:
		_, err = do(ctx, f, terminals.ClearFocus, of)
	}
	return err
}
