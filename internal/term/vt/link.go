package vt

// A linkID is the number of a hyperlink in a linkTable; 0 means no link.
type linkID uint32

// The limits of hyperlinks (OSC 8). The text of links beyond them is shown as plain text.
const (
	maxLinks   = 4096
	maxURI     = 2083
	maxLinkKey = 256
	// linkPatience is how many links are refused before a full table is searched again for unused
	// ones.
	linkPatience = 1024
)

// A link is a hyperlink. The key distinguishes links with the same target, and joins the pieces of
// one link.
type link struct {
	uri, key string
	// until is the number of the last history line that uses the link, plus one.
	until uint64
}

// A linkTable numbers the links that cells and history lines use.
type linkTable struct {
	links    []link // by number; links[0] is unused
	ids      map[link]linkID
	free     []linkID
	patience int // links to refuse before the next sweep
}

// internLink returns the number of a link, or 0 if the table is full.
func (t *Terminal) internLink(uri, key string) linkID {
	l := &t.links
	if id, ok := l.ids[link{uri: uri, key: key}]; ok {
		return id
	}
	if l.ids == nil {
		l.ids = map[link]linkID{}
		l.links = make([]link, 1)
	}
	if len(l.free) == 0 && len(l.links) > maxLinks {
		if l.patience > 0 {
			l.patience--
		} else if t.sweepLinks(); len(l.free) < maxLinks/16 {
			l.patience = linkPatience
		}
		if len(l.free) == 0 {
			return 0
		}
	}
	var id linkID
	if n := len(l.free); n > 0 {
		id = l.free[n-1]
		l.free = l.free[:n-1]
		l.links[id] = link{uri: uri, key: key}
	} else {
		id = linkID(len(l.links))
		l.links = append(l.links, link{uri: uri, key: key})
	}
	l.ids[link{uri: uri, key: key}] = id
	return id
}

// uri returns the target of a link, or "" for no link.
func (l *linkTable) uri(id linkID) string {
	if id == 0 {
		return ""
	}
	return l.links[id].uri
}

// keepLinks records that history line n uses the links of row r.
func (t *Terminal) keepLinks(r *row, n uint64) {
	if len(t.links.links) == 0 || !r.rich {
		return
	}
	for _, c := range r.cells[:r.used] {
		if id := c.pen(); id != 0 {
			if link := t.pens.pens[id].link; link != 0 {
				t.links.links[link].until = n + 1
			}
		}
	}
}

// sweepLinks frees the numbers of links that neither a cell nor a history line uses.
func (t *Terminal) sweepLinks() {
	l := &t.links
	live := make([]bool, len(l.links))
	t.eachCell(func(c *cell) { live[t.pens.pens[c.pen()].link] = true })
	live[t.cur.pen.link] = true
	live[t.primary.saved.pen.link] = true
	live[t.alternate.saved.pen.link] = true
	for id := 1; id < len(l.links); id++ {
		k := l.links[id]
		if live[id] || k.until > t.history.first || k.uri == "" {
			continue
		}
		delete(l.ids, link{uri: k.uri, key: k.key})
		l.links[id] = link{}
		l.free = append(l.free, linkID(id))
	}
}

// key returns the key of a link.
func (l *linkTable) key(id linkID) string {
	if id == 0 {
		return ""
	}
	return l.links[id].key
}
