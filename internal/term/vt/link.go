package vt

import (
	"strings"

	"ui-mcp/internal/term/scrollback"
)

// The limits of hyperlinks (OSC 8).
const (
	maxLinks   = 4096 // the newest ones are kept; the text of older ones becomes plain text
	maxURI     = 2083
	maxLinkKey = 256
)

// A link is a hyperlink. The key tells links with one target apart, and joins pieces of one link.
type link struct{ uri, key string }

// A linkTable has the newest links.
type linkTable struct {
	links  []numberedLink // a ring: link id is at id%maxLinks
	ids    map[link]scrollback.LinkID
	newest scrollback.LinkID
}

type numberedLink struct {
	link
	id scrollback.LinkID
}

// intern returns the number of a link. It renews the number of one that has become old, because
// links are dropped in the order of their numbers.
func (l *linkTable) intern(uri, key string) scrollback.LinkID {
	k := link{uri, key}
	if id, ok := l.ids[k]; ok && l.newest-id < maxLinks/2 {
		return id
	}
	if l.ids == nil {
		l.ids = map[link]scrollback.LinkID{}
	}
	l.newest++
	if l.newest == 0 {
		l.newest = 1 // after four billion links
	}
	slot := int(l.newest % maxLinks)
	for len(l.links) <= slot {
		l.links = append(l.links, numberedLink{})
	}
	if old := l.links[slot]; old.id != 0 && l.ids[old.link] == old.id {
		delete(l.ids, old.link)
	}
	l.links[slot] = numberedLink{k, l.newest}
	l.ids[k] = l.newest
	return l.newest
}

// link returns link id, or the zero link for 0 and for a link that was dropped.
func (l *linkTable) link(id scrollback.LinkID) link {
	if slot := int(id % maxLinks); slot < len(l.links) && l.links[slot].id == id {
		return l.links[slot].link
	}
	return link{}
}

// uri returns the target of a link, or "" if there is none.
func (l *linkTable) uri(id scrollback.LinkID) string { return l.link(id).uri }

func (l *linkTable) key(id scrollback.LinkID) string { return l.link(id).key }

// linkSchemes are the schemes of links that people may follow. With others, programs on the
// person's machine could be made to do anything.
var linkSchemes = map[string]bool{"http": true, "https": true, "mailto": true, "file": true}

// SafeLink reports whether people may follow a link to an address, which is not empty.
func SafeLink(uri string) bool {
	scheme, _, ok := strings.Cut(uri, ":")
	return ok && len(uri) <= maxURI && uri == printable(uri, maxURI) && linkSchemes[strings.ToLower(scheme)]
}

// setLink is OSC 8: parameters and a URI. An empty URI ends the link. Text of a link that is
// malformed, too long or of another scheme is plain.
func (t *Terminal) setLink(s string) {
	params, uri, ok := strings.Cut(s, ";")
	if !ok {
		return
	}
	t.inkFresh = false
	t.cur.pen.Link = 0
	if !SafeLink(uri) {
		return
	}
	var key string
	for param := range strings.SplitSeq(params, ":") {
		if id, ok := strings.CutPrefix(param, "id="); ok {
			key = printable(id, maxLinkKey)
		}
	}
	t.cur.pen.Link = t.links.intern(uri, key)
}
