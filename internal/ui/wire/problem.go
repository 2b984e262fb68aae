package wire

import "strconv"

// A Problem is something that does not work in a session, in the form that pages display.
type Problem struct {
	ID       int64
	Kind     string
	File     string // or ""
	Line     int    // counted from 1; 0 if unknown
	Source   string // the attribute or script, or ""
	Message  string
	Count    int   // how often it occurred; 1 is omitted
	Instance int64 // with Slot the failing binding; 0 if the problem has no binding
	Slot     int
}

// AppendProblems appends the message with all current problems.
func AppendProblems(dst []byte, list []Problem) []byte {
	dst = append(dst, `{"type":"problems","problems":`...)
	dst = appendProblemList(dst, list)
	return append(dst, '}')
}

func appendProblemList(dst []byte, list []Problem) []byte {
	dst = append(dst, '[')
	for i, p := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = p.append(dst)
	}
	return append(dst, ']')
}

func (p *Problem) append(dst []byte) []byte {
	text := func(name, s string) {
		if s != "" {
			dst = append(append(append(dst, `,"`...), name...), `":`...)
			dst = AppendString(dst, s)
		}
	}
	number := func(name string, n int) {
		dst = append(append(append(dst, `,"`...), name...), `":`...)
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	dst = append(dst, `{"id":`...)
	dst = strconv.AppendInt(dst, p.ID, 10)
	dst = append(dst, `,"kind":`...)
	dst = AppendString(dst, p.Kind)
	text("file", p.File)
	if p.Line > 0 {
		number("line", p.Line)
	}
	text("source", p.Source)
	dst = append(dst, `,"message":`...)
	dst = AppendString(dst, p.Message)
	if p.Count > 1 {
		number("count", p.Count)
	}
	if p.Instance > 0 {
		dst = append(dst, `,"at":[`...)
		dst = strconv.AppendInt(dst, p.Instance, 10)
		dst = append(dst, ',')
		dst = strconv.AppendInt(dst, int64(p.Slot), 10)
		dst = append(dst, ']')
	}
	return append(dst, '}')
}
