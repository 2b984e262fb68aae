package wire

// A Problem is something that does not work in a session, in the form that pages display.
type Problem struct {
	ID      int64   `json:"id"`
	Kind    string  `json:"kind"`
	File    string  `json:"file,omitempty"`
	Line    int     `json:"line,omitempty"`   // counted from 1; 0 if unknown
	Source  string  `json:"source,omitempty"` // the attribute or script, or ""
	Message string  `json:"message"`
	At      []int64 `json:"at,omitempty"` // the instance and slot of the failing binding, if it has one
}

// AppendProblems appends the message with all current problems.
func AppendProblems(dst []byte, list []Problem) []byte {
	return appendJSON(dst, struct {
		Type     string    `json:"type"`
		Problems []Problem `json:"problems"`
	}{"problems", append([]Problem{}, list...)}) // not null
}

// AppendNotice appends the message with a text for the person, which stays until the next one; ""
// removes it.
func AppendNotice(dst []byte, text string) []byte {
	return appendJSON(dst, struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}{"notice", text})
}
