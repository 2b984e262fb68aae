package chooser

import (
	"slices"
	"strings"
	"unicode/utf8"

	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/keys"
)

// A Session is one that can be chosen. Its texts must be printable.
type Session struct {
	ID, Name string
	State    string // in a word
	Needs    string // why it needs the person, such as "asks", or ""
	Doing    string // what it runs
	Tags     string
}

// An Outcome says what the caller must do after a key. The zero Outcome asks for nothing.
type Outcome struct {
	Leave  bool   // display the session again
	Open   string // attach to the session with this ID
	Rename string // give the session this name, and then call Renamed
}

// A mode is what the person sees.
type mode int

const (
	choosing mode = iota
	renaming
	reading
)

// A Model is what one person sees and does. It is not safe for concurrent use.
type Model struct {
	plain   bool // without colours
	shows   mode
	current Session // the session behind this: its ID, and its name so far

	sessions []Session         // as the server has them
	digits   map[string]string // the IDs of the sessions that they open
	listed   bool              // the server has sent a list
	failure  string            // why there is no newer list, or ""

	selected  string // an ID
	searching bool
	field     string // what is searched for, or the new name
	busy      bool   // the server has been asked for something
	notice    string // what the person must know, until the next key

	text []string // to be read
	top  int      // the first row of the list or of the text that was displayed
	page int      // how many rows of it were displayed
}

// Choose returns a list from which to choose another session than the current one. notice is
// displayed until the first key, unless it is "". Plain pictures have no colours.
func Choose(plain bool, current Session, notice string) *Model {
	return &Model{plain: plain, current: current, selected: current.ID, notice: notice}
}

// Rename returns a line in which to give the current session another name, below the list.
func Rename(plain bool, current Session) *Model {
	m := Choose(plain, current, "")
	m.shows, m.field = renaming, current.Name
	return m
}

// Read returns a text that the person reads.
func Read(plain bool, text string) *Model {
	return &Model{plain: plain, shows: reading, text: strings.Split(text, "\n")}
}

// Lists reports whether the model displays sessions: then [Model.Show] must be called.
func (m *Model) Lists() bool { return m.shows != reading }

// Ready reports whether keys other than [Leaves] mean something yet: one that chooses needs the
// list.
func (m *Model) Ready() bool { return m.listed || m.shows != choosing }

// Leaves reports whether a key leaves whatever is displayed.
func Leaves(k keys.Key) bool {
	key := k.Name()
	return key == "Escape" || key == "C-c" || key == "C-g"
}

// Show sets what the server says about its sessions, or why it cannot be asked. The selection stays
// on its session; if that is gone, the next one is selected. A new name that the person has not
// edited yet follows the current session's.
func (m *Model) Show(list []Session, err error) {
	if err != nil {
		m.failure = err.Error()
		return
	}
	m.failure, m.listed = "", true
	before := m.found()
	m.sessions = list
	m.label(list)
	if i := indexOf(list, m.current.ID); i >= 0 {
		if m.shows == renaming && m.field == m.current.Name {
			m.field = list[i].Name
		}
		m.current.Name = list[i].Name
	}
	after := m.found()
	if indexOf(after, m.selected) >= 0 || len(after) == 0 {
		return
	}
	next := after[min(max(indexOf(before, m.selected), 0), len(after)-1)]
	if at := indexOf(before, m.selected); at >= 0 {
		for _, s := range before[at:] {
			if i := indexOf(after, s.ID); i >= 0 {
				next = after[i]
				break
			}
		}
	}
	m.selected = next.ID
}

// label gives each of the first sessions a digit: that of its name, if that is a digit, else one
// that is free. A session keeps its digit, and no other one gets it: the person may have read it
// before the list has changed.
func (m *Model) label(list []Session) {
	if m.digits == nil {
		m.digits = map[string]string{}
	}
	give := func(s Session, digits ...string) {
		for _, d := range digits {
			if m.digitOf(s) == "" && m.digits[d] == "" {
				m.digits[d] = s.ID
			}
		}
	}
	all := strings.Split("1234567890", "")
	for _, s := range list {
		if slices.Contains(all, s.Name) {
			give(s, s.Name)
		}
	}
	for _, s := range list {
		give(s, all...)
	}
}

// digitOf returns the digit that opens a session, or "".
func (m *Model) digitOf(s Session) string {
	for d, id := range m.digits {
		if id == s.ID {
			return d
		}
	}
	return ""
}

func indexOf(list []Session, id string) int {
	return slices.IndexFunc(list, func(s Session) bool { return s.ID == id })
}

// Fail says that what the person asked for was impossible. They can go on.
func (m *Model) Fail(reason string) { m.busy, m.notice = false, reason }

// found returns the sessions that contain each word that is searched for.
func (m *Model) found() []Session {
	if !m.searching || m.field == "" {
		return m.sessions
	}
	words := strings.Fields(strings.ToLower(m.field))
	var list []Session
	for _, s := range m.sessions {
		text := strings.ToLower(s.Name + "\n" + s.Doing + "\n" + s.Tags + "\n" + s.State + "\n" + s.Needs)
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			list = append(list, s)
		}
	}
	return list
}

// best selects the first session whose name begins with what is searched for, or else the first.
func (m *Model) best() {
	list := m.found()
	if len(list) == 0 {
		return
	}
	i := slices.IndexFunc(list, func(s Session) bool { return strings.HasPrefix(strings.ToLower(s.Name), strings.ToLower(m.field)) })
	m.selected = list[max(i, 0)].ID
}

// Key handles a pressed key.
func (m *Model) Key(k keys.Key) Outcome {
	key := k.Name()
	if key != "S-Tab" { // with Shift, other keys do the same
		key = strings.TrimPrefix(key, "S-")
	}
	if Leaves(k) || key == "q" && m.shows != renaming && !m.searching {
		return Outcome{Leave: true}
	}
	m.notice = ""
	switch m.shows {
	case renaming:
		return m.rename(key)
	case reading:
		if key == "Enter" {
			return Outcome{Leave: true}
		}
		m.top += m.moved(key)
		return Outcome{}
	}
	return m.choose(key)
}

// Paste types text into the line that the person edits, or searches for it.
func (m *Model) Paste(text string) {
	if m.shows == reading {
		return
	}
	m.notice = ""
	m.searching = m.searching || m.shows == choosing
	m.setField(m.field + printable(text))
}

// printable returns the first line of a text without characters that disturb others.
func printable(text string) string {
	text, _, _ = strings.Cut(strings.TrimLeft(text, "\r\n"), "\n")
	text, _, _ = strings.Cut(text, "\r")
	return safetext.Plain(text)
}

func (m *Model) choose(key string) Outcome {
	list := m.found()
	at := indexOf(list, m.selected)
	if by := m.moved(key); by != 0 {
		if len(list) > 0 {
			m.selected = list[min(max(at+by, 0), len(list)-1)].ID
		}
		return Outcome{}
	}
	switch {
	case key == "Enter":
		if at < 0 {
			return Outcome{}
		}
		return m.open(list[at])
	case m.searching:
		if !m.edit(key) && key == "Backspace" { // nothing is left to remove
			m.searching = false
		}
	case key == "/" || key == "C-s" || key == "C-f":
		m.searching = true
	case indexOf(m.sessions, m.digits[key]) >= 0:
		return m.open(m.sessions[indexOf(m.sessions, m.digits[key])])
	case utf8.RuneCountInString(key) == 1 && printable(key) != "":
		m.searching = true
		m.edit(key)
	}
	return Outcome{}
}

// open asks for a session. The current one is there already.
func (m *Model) open(s Session) Outcome {
	m.selected = s.ID
	if s.ID == m.current.ID {
		return Outcome{Leave: true}
	}
	m.busy = true
	return Outcome{Open: s.ID}
}

func (m *Model) rename(key string) Outcome {
	switch {
	case key != "Enter":
		m.edit(key)
	case m.field == m.current.Name || m.field == "":
		return Outcome{Leave: true}
	default:
		m.busy = true
		return Outcome{Rename: m.field}
	}
	return Outcome{}
}

// edit changes the line that the person edits. It reports whether the line is another one now.
func (m *Model) edit(key string) bool {
	before := m.field
	if text, erases := keys.Erase(before, key); erases {
		m.setField(text)
	} else if utf8.RuneCountInString(key) == 1 {
		m.setField(before + printable(key))
	}
	return m.field != before
}

// maxField is the length of a line that the person edits, in bytes. Names are shorter.
const maxField = 200

func (m *Model) setField(text string) {
	if len(text) > maxField {
		m.notice = "the text is too long"
		return
	}
	m.field = text
	if m.shows == choosing {
		m.best()
	}
}

// moved returns by how many rows a key moves in what is listed.
func (m *Model) moved(key string) int {
	switch key {
	case "ArrowUp", "C-p", "S-Tab":
		return -1
	case "ArrowDown", "C-n", "Tab":
		return 1
	case "PageUp", "C-b":
		return -max(m.page, 1)
	case "PageDown":
		return max(m.page, 1)
	case "Home":
		return -1 << 20
	case "End":
		return 1 << 20
	}
	return 0
}
