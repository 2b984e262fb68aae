package render

// Plain returns the rows as text, without trailing blanks.
func (f *Frame) Plain() []string {
	out := make([]string, len(f.Lines))
	for y, r := range f.Lines {
		out[y] = r.Plain()
	}
	return out
}
