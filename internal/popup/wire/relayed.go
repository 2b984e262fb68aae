package wire

import (
	"encoding/json"
	"html"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/safetext"
)

const (
	// maxRelayedID is the length limit of the ID of a question of another host, in bytes.
	maxRelayedID = 128
	// maxRelayedError is how much a host can say about an answer, in bytes.
	maxRelayedError = 500
	// maxAgain is how long a host can have a page wait before it sends an answer again.
	maxAgain = time.Minute
	// maxTime is so much less than what pages can count that a deadline is, too, in milliseconds.
	maxTime = 1 << 52
)

// Relayed returns what a page gets for a message that a server on another host has sent for it: one
// that a server here could send, which names the host, and whose questions have IDs that no other
// host's have. It is made of what was checked; nil: the message is neither of [One] nor of
// [VerdictOn]. [RelayedReply] is the way back.
func Relayed(host string, msg []byte) any {
	var kind struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(msg, &kind) != nil {
		return nil
	}
	switch kind.Type {
	case "state":
		var s State
		if json.Unmarshal(msg, &s) == nil && len(s.Questions) == 1 {
			if a, ok := s.Questions[0].asked(); ok {
				a.ID, a.Host = relayedID(host, a.ID), host
				return One(&a)
			}
		}
		return None()
	case "verdict":
		var v Verdict
		if json.Unmarshal(msg, &v) != nil || !isRelayable(v.ID) {
			return nil
		}
		v.Type, v.ID, v.Again = "verdict", relayedID(host, v.ID), min(max(v.Again, 0), maxAgain.Milliseconds())
		if v.Error != "" {
			v.Error = host + ": " + safetext.Clip(safetext.Visible(v.Error), maxRelayedError)
		}
		return v
	}
	return nil
}

// RelayedReply returns a page's message about a question of a host as that host knows it, or nil if
// it is about none of its questions.
func RelayedReply(host string, msg []byte) []byte {
	m := Decode(msg)
	id, ok := strings.CutPrefix(m.ID, relayedID(host, ""))
	if !ok {
		return nil
	}
	m.ID = id
	return fault.Must(json.Marshal(m)) // texts and booleans
}

// relayedID returns what a question of a host is called here. IDs of questions here have no slash,
// and neither have names of hosts.
func relayedID(host, id string) string { return host + "/" + id }

func isRelayable(id string) bool { return id != "" && len(id) <= maxRelayedID }

// asked returns a described question if it is a valid one, whose message is displayed as it is
// written.
func (d Described) asked() (a question.Asked, ok bool) {
	message, quote, ok := read(d.HTML)
	if !ok || !isRelayable(d.ID) {
		return a, false
	}
	at := time.UnixMilli(min(max(d.At, 0), maxTime))
	left := min(max(time.UnixMilli(d.Deadline).Sub(at), time.Millisecond), question.MaxTimeout)
	p := question.Question{
		Title: d.Title, Message: message, Plain: true, Quote: quote, Options: d.Options, AllowText: d.AllowText, Multiple: d.Multiple,
		Prompt: d.Prompt, Secret: d.Secret, Reveal: d.Reveal, Default: d.Default, Severity: d.Severity, Images: d.Images,
	}.Posed(left)
	q, err := p.Question()
	if err != nil {
		return a, false
	}
	a = question.Asked{ID: d.ID, Asker: d.Asker, Question: q, At: at, Deadline: at.Add(left)}
	if !slices.Contains([]question.Asker{question.ByAgent, question.ByApp, question.ByProgram}, a.Asker) {
		a.Asker = question.ByProgram
	}
	return a, true
}

// read returns the message and the quote of which [HTML] has made a text. It reports false for any
// other HTML.
func read(text string) (message, quote string, ok bool) {
	message, rest, _ := strings.Cut(strings.TrimPrefix(text, "<p>"), "</p>")
	message = html.UnescapeString(message)
	if rest != "" {
		rest, _ = strings.CutPrefix(rest, "<pre><code>")
		quote = html.UnescapeString(strings.TrimSuffix(rest, "</code></pre>"))
	}
	return message, quote, text == HTML(question.Question{Message: message, Quote: quote}, "")
}
