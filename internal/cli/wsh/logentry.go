package wsh

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"
)

// maxEntry is how long a line of a log may be before it is split, in bytes.
const maxEntry = 1 << 20

// An entryWriter writes the lines of a log as JSON, each on a line of its own.
type entryWriter struct {
	out  io.Writer
	held []byte // an incomplete line
}

// Write implements [io.Writer].
func (w *entryWriter) Write(b []byte) (int, error) {
	w.held = append(w.held, b...)
	for {
		i := bytes.IndexByte(w.held, '\n')
		if i < 0 && len(w.held) < maxEntry {
			return len(b), nil
		}
		line := w.held
		if i >= 0 {
			line = w.held[:i]
		}
		if err := w.write(string(line)); err != nil {
			return 0, err
		}
		w.held = w.held[min(len(line)+1, len(w.held)):]
	}
}

// flush writes a last line without an end.
func (w *entryWriter) flush() error {
	if len(w.held) == 0 {
		return nil
	}
	return w.write(string(w.held))
}

func (w *entryWriter) write(line string) error {
	if strings.TrimSpace(line) == "" {
		return nil
	}
	entry, ok := parseEntry(line)
	if !ok {
		entry = map[string]string{"msg": line} // what a program wrote that was about to end
	}
	b, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	_, err = w.out.Write(append(b, '\n'))
	return err
}

// parseEntry parses a line of [slog.TextHandler]: KEY=VALUE pairs with blanks between them, quoted
// where necessary.
func parseEntry(line string) (map[string]string, bool) {
	entry := map[string]string{}
	next := func(end byte) (text string, ok bool) {
		if strings.HasPrefix(line, `"`) {
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				return "", false
			}
			line = line[len(quoted):]
			text, err = strconv.Unquote(quoted)
			return text, err == nil
		}
		i := strings.IndexByte(line, end)
		if i < 0 {
			i = len(line)
		}
		text, line = line[:i], line[i:]
		return text, true
	}
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimPrefix(line, " ") {
		isQuoted := line[0] == '"'
		key, ok := next('=')
		if !ok || key == "" || !isQuoted && strings.Contains(key, " ") || !strings.HasPrefix(line, "=") {
			return nil, false
		}
		line = line[1:]
		value, ok := next(' ')
		if !ok || line != "" && line[0] != ' ' {
			return nil, false
		}
		entry[key] = value
	}
	return entry, true
}
