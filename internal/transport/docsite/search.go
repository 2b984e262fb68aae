package docsite

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxHits  = 40  // that are displayed
	maxWords = 8   // of a query that count
	around   = 80  // bytes of text before the first word that was found
	excerpt  = 240 // bytes of text that are displayed
)

// A hit is a section that has all words.
type hit struct {
	File, Anchor string
	Page         string // the title of the page, unless the section's is the same
	Title, Text  []run
	score        int
}

// A run is a piece of text, which is marked if it was searched for.
type run struct {
	Text   string
	Marked bool
}

// find returns the sections that have all words of a query, the best first, and how many more there
// are. If none has, and there are three words or more, those that lack one. Case does not matter.
func find(pages map[string]page, query string) (hits []hit, more int) {
	words := strings.Fields(lower(query))
	words = words[:min(len(words), maxWords)]
	hits = matching(pages, words, 0)
	if len(hits) == 0 && len(words) >= 3 {
		hits = matching(pages, words, 1)
	}
	slices.SortFunc(hits, func(a, b hit) int {
		if a.score != b.score {
			return b.score - a.score
		}
		return strings.Compare(a.File+"#"+a.Anchor, b.File+"#"+b.Anchor)
	})
	if len(hits) > maxHits {
		return hits[:maxHits], len(hits) - maxHits
	}
	return hits, 0
}

// matching returns the sections that lack at most so many of the words.
func matching(pages map[string]page, words []string, lacking int) (hits []hit) {
	for _, p := range pages {
		for _, section := range p.Sections {
			score, absent := 0, 0
			title, text := lower(section.Title), lower(section.Text)
			for _, word := range words {
				inTitle, inText := strings.Contains(title, word), strings.Count(text, word)
				if !inTitle && inText == 0 {
					absent++
				}
				score += min(inText, 10)
				if inTitle {
					score += 100 / section.Level
				}
			}
			if score == 0 || absent > lacking {
				continue
			}
			if strings.HasPrefix(p.file, "adr/") { // why it is so, for those who change it
				score /= 4
			}
			h := hit{File: p.file, Anchor: section.Anchor, Page: p.Title, score: score}
			h.Title, h.Text = mark(section.Title, words), mark(cut(section.Text, words), words)
			if section.Level == 1 || section.Title == "" {
				h.Anchor, h.Page, h.Title = "", "", mark(p.Title, words)
			}
			hits = append(hits, h)
		}
	}
	return hits
}

// lower returns a text in lower case, byte for byte as long as before: letters whose form in lower
// case is longer or shorter stay.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if l := unicode.ToLower(r); utf8.RuneLen(l) == utf8.RuneLen(r) {
			return l
		}
		return r
	}, s)
}

// cut returns the part of a text around the first word that it has.
func cut(text string, words []string) string {
	from := len(text)
	for _, word := range words {
		if at := strings.Index(lower(text), word); at >= 0 {
			from = min(from, at)
		}
	}
	if from == len(text) {
		from = 0
	}
	from = max(0, from-around)
	to := min(len(text), from+excerpt)
	before, after := "", ""
	if from > 0 {
		before = "… "
		from += strings.IndexByte(text[from:]+" ", ' ') + 1
	}
	if to < len(text) {
		after = " …"
		if space := strings.LastIndexByte(text[:to], ' '); space > from {
			to = space
		}
	}
	return before + strings.ToValidUTF8(text[min(from, to):to], "") + after
}

// mark returns a text in runs, with every occurrence of a word marked.
func mark(text string, words []string) (runs []run) {
	low := lower(text)
	for at := 0; at < len(text); {
		next, length := len(text), 0
		for _, word := range words {
			if i := strings.Index(low[at:], word); i >= 0 && (at+i < next || at+i == next && len(word) > length) {
				next, length = at+i, len(word)
			}
		}
		if next > at {
			runs = append(runs, run{text[at:next], false})
		}
		if length > 0 {
			runs = append(runs, run{text[next : next+length], true})
		}
		at = next + length
	}
	return runs
}
