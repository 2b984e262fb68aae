package variable

import "strings"

// omittedRows is between the number of rows that a description leaves out and the first one's path.
const omittedRows = " more; path "

// Subject returns what a line of a description is about, to compare two descriptions: the line
// without what a row more or less changes in all lines after it, the index of a row and how many
// rows are left out.
func Subject(line string) string {
	rest := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(rest)]
	if index, ok := strings.CutPrefix(rest, "["); ok {
		if n, row, ok := strings.Cut(index, "] #"); ok && n != "" && strings.Trim(n, "0123456789") == "" {
			return indent + "#" + row
		}
	}
	if strings.HasPrefix(rest, "… ") && strings.Contains(rest, omittedRows) {
		return indent + omittedRows
	}
	return line
}
