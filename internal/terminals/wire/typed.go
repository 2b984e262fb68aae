package wire

import (
	"time"

	"ui-mcp/internal/term/core"
)

// A Typed is an entry of a session's ledger.
type Typed struct {
	Seq    uint64    `json:"seq" jsonschema:"number of the entry, from 1; gaps are entries that were dropped"`
	At     time.Time `json:"at" jsonschema:"when, as in 2026-01-02T15:04:05.678Z"`
	From   Sender    `json:"from"`
	Kind   string    `json:"kind" jsonschema:"text, keys, paste, mouse, line (a command) or signal"`
	Text   string    `json:"text,omitempty" jsonschema:"what was typed; left out if it is secret, or was typed by a person" foreign:"any"`
	Cut    bool      `json:"cut,omitempty" jsonschema:"whether text is only the beginning"`
	Count  int       `json:"count" jsonschema:"how many keys or characters; 1 for the answer to a question"`
	Secret bool      `json:"secret,omitempty" jsonschema:"whether the program asked for a secret, or the sender said that it is one"`
}

// A Sender is who typed.
type Sender struct {
	Kind  string `json:"kind" jsonschema:"mcp, http, websocket, raw (a WebSocket of bytes), app (a script of a live app), attach (a person's terminal) or question (a person who was asked)"`
	Name  string `json:"name,omitempty" jsonschema:"of the program, as it calls itself, or of the attached client"`
	Peer  string `json:"peer,omitempty" jsonschema:"address from which the program has connected"`
	Token string `json:"token,omitempty" jsonschema:"ID of the token that it has used"`
}

// NewTyped returns entries as JSON.
func NewTyped(list []core.Typed) []Typed {
	out := make([]Typed, len(list))
	for i, e := range list {
		from := Sender{string(e.From.Kind), e.From.Name, e.From.Peer, e.From.Token}
		out[i] = Typed{e.Seq, e.At.UTC().Truncate(time.Millisecond), from, string(e.Kind), e.Text, e.Cut, e.Count, e.Secret}
	}
	return out
}
