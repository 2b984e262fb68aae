package mcpterm

import (
	"cmp"
	"context"
	"encoding/base64"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/mcpserver"
)

type sendInput struct {
	Session  string   `json:"session"`
	Input    *string  `json:"input,omitempty" jsonschema:"typed as it is"`
	Encoding string   `json:"encoding,omitempty" enum:"utf8 base64" jsonschema:"default utf8"`
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

// events returns what an action of the mouse consists of.
func (m *mouse) events() []keys.MouseEvent {
	if m == nil {
		return nil
	}
	e := keys.MouseEvent{Action: keys.Action(m.Action), Button: keys.Button(cmp.Or(m.Button, string(keys.Left))), Row: m.Row, Col: m.Col}
	if m.Action != "" && m.Action != "click" {
		return []keys.MouseEvent{e}
	}
	press, release := e, e
	press.Action, release.Action = keys.Press, keys.Release
	if strings.HasPrefix(m.Button, "wheel-") {
		return []keys.MouseEvent{press}
	}
	return []keys.MouseEvent{press, release}
}

// sent is the answer of wsh_send_input.
type sent struct {
	done
	Bytes int `json:"bytes"` // of input
}

func (f *Face) addSend(s *mcpserver.Server) {
	add(s, f, mcpserver.Tool{
		Name:        "wsh_send_input",
		Title:       "Type into a session",
		Description: "Types text or presses keys; returns at once. Enter is not added: give keys [\"Enter\"]. Then wsh_await_quiesce and wsh_get_screen. At a prompt prefer wsh_run_command.",
		Hints:       mcpserver.Hints{ReadOnly: mcpserver.No, Destructive: mcpserver.Yes, Idempotent: mcpserver.No, OpenWorld: mcpserver.Yes},
		Order:       ofSession,
	}, func(ctx context.Context, in sendInput) (mcpserver.Result, error) {
		if in.Input == nil && in.Keys == nil && in.Mouse == nil {
			return mcpserver.Result{}, fault.New(fault.Invalid, `missing argument "input": give input, keys or mouse`)
		}
		text, err := in.text()
		if err != nil {
			return mcpserver.Result{}, err
		}
		return mcpserver.Answer(sent{done{Success: true, Status: "sent"}, len(text)}, f.send(ctx, in, text))
	}, terminals.Type)
}

// send types what wsh_send_input is given, in one piece.
func (f *Face) send(ctx context.Context, in sendInput, text []byte) (err error) {
	of, secrecy, about := terminals.Target{Session: in.Session}, terminals.Secrecy{Secret: in.Secret}, "the person, who decides about input in session "+in.Session
	switch {
	case in.Paste && in.Input != nil:
		_, err = wait(ctx, f, about, terminals.PasteText, terminals.PastedText{Target: of, Text: string(text), Keys: in.Keys, Mouse: in.Mouse.events(), Secrecy: secrecy})
	case in.Keys == nil && in.Mouse == nil:
		_, err = wait(ctx, f, about, terminals.SendInput, terminals.Input{Target: of, Data: text, Secrecy: secrecy})
	default:
		_, err = wait(ctx, f, about, terminals.PressKeys, terminals.KeyNames{Target: of, Data: text, Keys: append([]string{}, in.Keys...), Mouse: in.Mouse.events(), Secrecy: secrecy})
	}
	return err
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

type inputModeInput struct {
	Session string `json:"session"`
	Mode    string `json:"mode,omitempty" enum:"capture release" jsonschema:"omit to get it"`
	Focus   string `json:"focus,omitempty" jsonschema:"id of an overlay or panel"`
	Unfocus bool   `json:"unfocus,omitempty" jsonschema:"no overlay or panel gets the keys any more"`
}

// An inputMode is the answer of wsh_input_mode.
type inputMode struct {
	Mode    string  `json:"mode"`
	Focused *string `json:"focused_element,omitempty"`
}

func (f *Face) addInputMode(s *mcpserver.Server) {
	add(s, f, mcpserver.Tool{
		Name:        "wsh_input_mode",
		Title:       "Capture the person's keys",
		Description: "Gets or sets who gets the person's keys: the program (passthrough) or you (capture; read them with wsh_await_quiesce, keys). Returns mode and focused_element.",
		Hints:       mcpserver.Hints{ReadOnly: mcpserver.No, Destructive: mcpserver.No, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.No},
		Order:       ofSession,
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
		return mcpserver.Answer(inputMode{string(m.Mode), focused.ID}, err)
	}, terminals.Draw)
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
