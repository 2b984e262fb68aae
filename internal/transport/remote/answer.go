package remote

import (
	"cmp"
	"strings"

	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

const (
	// maxShort is the length limit of answers that are asked for without a person or an agent, or
	// for all hosts at once, in bytes, and maxQuestion that of a question with its pictures.
	maxShort    = 4 << 20
	maxQuestion = 6 << 20
	// maxAnswer is the length limit of any other answer.
	maxAnswer = 16 << 20
	// maxValues is how many objects, lists and values in lists a short answer may have, maxAsked
	// one with questions, and maxLong any other: small ones take many times their length in memory.
	maxValues = 1 << 16
	maxAsked  = 1 << 12
	maxLong   = 1 << 18
)

// A bound is how long an answer may be, in bytes, and how many values it may have.
type bound struct{ length, values int }

// bounds are of operations whose answers are short.
var bounds = map[*terminals.Operation]bound{
	&terminals.ListSessions.Operation:    {maxShort, maxValues},
	&terminals.GetServer.Operation:       {maxShort, maxValues},
	&terminals.AwaitAnyIdle.Operation:    {maxShort, maxValues},
	&terminals.Follow.Operation:          {maxShort, maxValues},
	&terminals.FollowQuestions.Operation: {maxQuestion, maxAsked},
}

func boundOf(o *terminals.Operation) bound { return cmp.Or(bounds[o], bound{maxAnswer, maxLong}) }

// Limit returns the length limit of the answer to an operation, in bytes.
func Limit(o *terminals.Operation) int { return boundOf(o).length }

// crowded reports whether JSON has more than a number of objects, lists and values in lists.
func crowded(b []byte, most int) bool {
	var lists []bool // whether each of what is open here is a list
	text := false
	n := 0
	for i := 0; i < len(b) && n <= most; i++ {
		switch c := b[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case text:
		case c == '{' || c == '[':
			lists = append(lists, c == '[')
			n++
		case (c == '}' || c == ']') && len(lists) > 0:
			lists = lists[:len(lists)-1]
		case c == ',' && len(lists) > 0 && lists[len(lists)-1]:
			n++
		}
	}
	return n > most
}

// Decode reads what another host answers to an operation, or a part of what that delivers, whose
// length is within [Limit]. Its texts are harmless to display, whatever the host says.
func Decode(o *terminals.Operation, b []byte, out any) error {
	if crowded(b, boundOf(o).values) {
		return errMalformed
	}
	if o == &terminals.FollowQuestions.Operation { // whose texts are checked where they are shown
		return wire.Decode(b, out, nil)
	}
	return wire.Decode(b, out, harmless)
}

// harmless returns a text without what disturbs others. The tag "foreign" of its member says that
// it has lines, or may be any text, as it may be of this host.
func harmless(foreign, s string) string {
	switch foreign {
	case "any":
		return s
	case "lines":
		return plainLines(s)
	}
	return safetext.Plain(s)
}

// plainLines is [safetext.Plain] for text of several lines.
func plainLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = safetext.Plain(line)
	}
	return strings.Join(lines, "\n")
}
