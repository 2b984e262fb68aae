package vt

import (
	"strings"

	"ui-mcp/internal/term/scrollback"
)

// The limits of hyperlinks (OSC 8).
const (
	maxLinks = 4096 // the newest ones are kept; the text of older ones becomes plain text
	maxURI   = 2083
)

// A linkTable has the targets of the newest links.
type linkTable struct {
	links  []numberedLink // a ring: link id is at id%maxLinks
	ids    map[string]scrollback.LinkID
	newest scrollback.LinkID
}

type numberedLink struct {
	uri string
	id  scrollback.LinkID
}

// intern returns the number of a link. It renews the number of one that has become old, because
// links are dropped in the order of their numbers.
func (l *linkTable) intern(uri string) scrollback.LinkID {
	if id, ok := l.ids[uri]; ok && l.newest-id < maxLinks/2 {
		return id
	}
	if l.ids == nil {
		l.ids = map[string]scrollback.LinkID{}
	}
	l.newest++
	if l.newest == 0 {
		l.newest = 1 // after four billion links
	}
	slot := int(l.newest % maxLinks)
	for len(l.links) <= slot {
		l.links = append(l.links, numberedLink{})
	}
	if old := l.links[slot]; old.id != 0 && l.ids[old.uri] == old.id {
		delete(l.ids, old.uri)
	}
	l.links[slot] = numberedLink{uri, l.newest}
	l.ids[uri] = l.newest
	return l.newest
}

// uri returns the target of link id, or "" for 0 and for a link that was dropped.
func (l *linkTable) uri(id scrollback.LinkID) string {
	if slot := int(id % maxLinks); slot < len(l.links) && l.links[slot].id == id {
		return l.links[slot].uri
	}
	return ""
}

// linkSchemes are the schemes of links that people may follow. With others, programs on the
// person's machine could be made to do anything.
var linkSchemes = map[string]bool{"http": true, "https": true, "mailto": true, "file": true}

// SafeLink reports whether people may follow a link to an address, which is not empty.
func SafeLink(uri string) bool {
	scheme, _, ok := strings.Cut(uri, ":")
	return ok && len(uri) <= maxURI && uri == printable(uri, maxURI) && linkSchemes[strings.ToLower(scheme)]
}

// setLink is OSC 8: parameters, which are ignored, and a URI. An empty URI ends the link. Text of a
// link that is malformed, too long or of another scheme is plain.
func (t *Terminal) setLink(s string) {
	_, uri, ok := strings.Cut(s, ";")
	if !ok {
		return
	}
	t.inkFresh = false
	t.cur.pen.Link = 0
	if SafeLink(uri) {
		t.cur.pen.Link = t.links.intern(uri)
	}
}
