package lookback

import (
	"strings"
	"unicode/utf8"

	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/pattern"
)

type prompt struct {
	text   string
	back   bool
	before search // to return to
	found  *match
}

func openPrompt(back bool) func(*Model, int) {
	return func(m *Model, _ int) {
		m.prompt = &prompt{back: back, before: m.search, found: m.found}
		m.origin = m.cursor
		m.search = search{}
		m.found = nil
	}
}

// edit handles a key while an expression is being typed. It searches the text so far at once.
func (m *Model) edit(key string) {
	p := m.prompt
	switch key {
	case "Enter":
		m.closePrompt()
	case "Escape", "C-c", "C-g":
		m.abandonPrompt()
	case "ArrowUp", "C-p":
		m.setPrompt(p.before.text)
	case "ArrowDown", "C-n":
		m.setPrompt("")
	default:
		switch text, erases := keys.Erase(p.text, key); {
		case erases && p.text == "" && key != "C-u" && key != "C-w":
			m.abandonPrompt()
		case erases:
			m.setPrompt(text)
		case utf8.RuneCountInString(key) == 1:
			m.insert(key)
		}
	}
}

// insert adds the first line of a text to the expression.
func (m *Model) insert(text string) {
	text, _, _ = strings.Cut(text, "\n")
	text = safetext.Plain(text)
	if len(m.prompt.text)+len(text) > pattern.MaxLength {
		m.message = "the expression is too long"
		return
	}
	m.setPrompt(m.prompt.text + text)
}

// setPrompt replaces the expression, and searches for it from where the person was.
func (m *Model) setPrompt(text string) {
	m.prompt.text = text
	m.search.compile(text)
	m.found = nil
	m.search.back = m.prompt.back
	m.search.begin(m.doc, m.origin, m.prompt.back, true)
	if !m.search.running {
		m.show(m.origin)
	}
}

// closePrompt accepts the expression. An empty one repeats the last search.
func (m *Model) closePrompt() {
	p := m.prompt
	m.prompt = nil
	switch {
	case p.text == "":
		m.search = p.before
		m.search.back = p.back
		m.continueSearch(p.back)
	case m.search.invalid:
		m.message = "not a regular expression: " + p.text
	case m.found == nil && !m.search.running:
		m.message = "no match for " + p.text
	case m.found != nil:
		m.message = m.search.note()
	}
}

func (m *Model) abandonPrompt() {
	p := m.prompt
	m.prompt = nil
	m.search, m.found = p.before, p.found
	m.search.running = false
	m.show(m.origin)
}

// again searches for the next match in the direction of the search, or in the opposite one.
func again(other bool) func(*Model, int) {
	return func(m *Model, _ int) { m.continueSearch(m.search.back != other) }
}

func (m *Model) continueSearch(up bool) {
	if m.search.pattern == nil {
		m.search.compile(m.search.text)
	}
	if m.search.pattern == nil {
		m.message = "no search yet: / and ? search"
		return
	}
	m.search.begin(m.doc, m.cursor, up, false)
}
