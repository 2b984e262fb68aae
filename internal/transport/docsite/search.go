package docsite

import (
	"regexp"
	"slices"
	"strings"
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
// are. Case does not matter.
func find(pages map[string]page, query string) (hits []hit, more int) {
	words := strings.Fields(strings.ToValidUTF8(query, "")) // else it would be no pattern
	words = words[:min(len(words), maxWords)]
	patterns := make([]*regexp.Regexp, len(words))
	for i, word := range words {
		words[i] = regexp.QuoteMeta(word)
		patterns[i] = regexp.MustCompile("(?i)" + words[i])
	}
	either := regexp.MustCompile("(?i)" + strings.Join(words, "|"))
	either.Longest()
	hits = matching(pages, patterns, either)
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

// matching returns the sections that have all words; either finds each of them.
func matching(pages map[string]page, words []*regexp.Regexp, either *regexp.Regexp) (hits []hit) {
	for _, p := range pages {
		for _, section := range p.Sections {
			score, all := 0, true
			for _, word := range words {
				inTitle, inText := word.MatchString(section.Title), len(word.FindAllStringIndex(section.Text, -1))
				all = all && (inTitle || inText > 0)
				score += min(inText, 10)
				if inTitle {
					score += 100 / section.Level
				}
			}
			if score == 0 || !all {
				continue
			}
			if strings.HasPrefix(p.file, "adr/") { // why it is so, for those who change it
				score /= 4
			}
			h := hit{File: p.file, Anchor: section.Anchor, Page: p.Title, score: score}
			h.Title, h.Text = mark(section.Title, either), mark(cut(section.Text, either), either)
			if section.Level == 1 || section.Title == "" {
				h.Anchor, h.Page, h.Title = "", "", mark(p.Title, either)
			}
			hits = append(hits, h)
		}
	}
	return hits
}

// cut returns the part of a text around the first word that it has.
func cut(text string, either *regexp.Regexp) string {
	from := 0
	if at := either.FindStringIndex(text); at != nil {
		from = max(0, at[0]-around)
	}
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
func mark(text string, either *regexp.Regexp) (runs []run) {
	at := 0
	for _, found := range either.FindAllStringIndex(text, -1) {
		runs = append(runs, run{text[at:found[0]], false}, run{text[found[0]:found[1]], true})
		at = found[1]
	}
	return append(runs, run{text[at:], false})
}
