package vt

import "unicode/utf8"

// maxCluster is how many bytes of text one cell holds. Further combining characters are dropped;
// the longest emoji needs half of it.
const maxCluster = 96

// firstSweep is how many clusters or pens a table holds before the first search for unused ones.
const firstSweep = 4096

// A clusterTable holds the text of cells that need more than one code point.
type clusterTable struct {
	texts   []string
	ids     map[clusterKey]cell
	recent  *[256]numberedCluster // a cache by a cheap hash: text repeats itself
	sweepAt int                   // number of texts at which to sweep
}

// A clusterKey identifies a cluster by a cell's former content, a code point or another cluster,
// and the rune that was added to it.
type clusterKey struct {
	before cell
	added  rune
}

type numberedCluster struct {
	key clusterKey
	id  cell
}

// join returns the content bits for before with r added, or before if that would be too long.
func (c *clusterTable) join(before cell, r rune) cell {
	key := clusterKey{before, r}
	if c.recent == nil {
		*c = clusterTable{ids: map[clusterKey]cell{}, sweepAt: firstSweep}
		c.recent = new([256]numberedCluster)
	}
	recent := &c.recent[(uint32(before)*0x9e3779b1^uint32(r)*0x85ebca6b)>>24]
	if recent.key == key {
		return recent.id
	}
	id, ok := c.ids[key]
	if !ok {
		text := utf8.AppendRune(c.append(nil, before), r)
		if len(text) > maxCluster {
			return before
		}
		id = clusterFlag | cell(len(c.texts))
		c.texts = append(c.texts, string(text))
		c.ids[key] = id
	}
	recent.key, recent.id = key, id
	return id
}

// intern returns the content bits for text, which must not be empty.
func (c *clusterTable) intern(text string) cell {
	var id cell
	for i, r := range text {
		if i == 0 {
			id = content(r)
		} else {
			id = c.join(id, r)
		}
	}
	return id
}

// append appends the text of a cell's content to b.
func (c *clusterTable) append(b []byte, id cell) []byte {
	if id&clusterFlag != 0 {
		return append(b, c.texts[uint32(id)]...)
	}
	return utf8.AppendRune(b, id.rune())
}

// base returns the first code point of a cell's content.
func (c *clusterTable) base(id cell) rune {
	if id&clusterFlag != 0 {
		r, _ := utf8.DecodeRuneInString(c.texts[uint32(id)])
		return r
	}
	return id.rune()
}

// sweepClusters drops clusters that no cell uses. Packed lines have their text and do not count.
func (t *Terminal) sweepClusters() {
	old := t.clusters
	t.clusters = clusterTable{}
	t.eachCell(func(c *cell) {
		if *c&clusterFlag != 0 {
			*c = *c&^contentMask | t.clusters.intern(old.texts[uint32(*c)])
		}
	})
	t.clusters.sweepAt = max(firstSweep, 2*len(t.clusters.texts))
}
