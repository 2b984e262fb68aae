package viewdef

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"ui-mcp/internal/ui/spell"
)

// A Store holds the templates of one base directory. If several files define a key, the file with
// the lowest rank wins, then the first by name. It is not safe for concurrent use; its snapshots
// are.
type Store struct{ latest *Snapshot }

// A Snapshot is what a [Store] held at some time. It never changes.
type Snapshot struct {
	gen  uint64
	keys map[string][]entry
}

type entry struct {
	rank int
	app  string // the app that the file belongs to, or ""
	tmpl *Template
}

// NewStore returns an empty store.
func NewStore() *Store { return &Store{latest: &Snapshot{keys: map[string][]entry{}}} }

// Snapshot returns what the store holds now.
func (s *Store) Snapshot() *Snapshot { return s.latest }

func (s *Store) change(key string, list []entry) {
	next := &Snapshot{gen: s.latest.gen + 1, keys: maps.Clone(s.latest.keys)}
	if next.keys[key] = list; len(list) == 0 {
		delete(next.keys, key)
	}
	s.latest = next
}

// Put adds a template, or replaces the one of the same file and key. app is the app that the file
// belongs to, or "": see [Snapshot.Lookup].
func (s *Store) Put(rank int, app string, t *Template) {
	list := append(s.latest.without(t.Key, t.File), entry{rank, app, t})
	slices.SortStableFunc(list, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.tmpl.File, b.tmpl.File))
	})
	s.change(t.Key, list)
}

// Remove removes file's template for key, if there is one.
func (s *Store) Remove(key, file string) {
	if s.latest.Has(key, file) {
		s.change(key, s.latest.without(key, file))
	}
}

// without returns the entries of a key, except that of a file.
func (s *Snapshot) without(key, file string) []entry {
	return slices.DeleteFunc(slices.Clone(s.keys[key]), func(e entry) bool { return e.tmpl.File == file })
}

// Has reports whether a file defines a key.
func (s *Snapshot) Has(key, file string) bool {
	return slices.ContainsFunc(s.keys[key], func(e entry) bool { return e.tmpl.File == file })
}

// Lookup returns the template for a type: the namespace's, else the one of the fallback
// namespace, else DEFAULT, else nil. app is the app that has declared the type, or "": other apps'
// templates count only where neither that app nor the project has one for the type.
func (s *Snapshot) Lookup(typ, app, namespace, fallback string) *Template {
	for _, others := range [...]bool{false, true} {
		for _, ns := range [...]string{namespace, fallback, "DEFAULT"} {
			if ns == "" {
				continue
			}
			for _, e := range s.keys[typ+"."+ns] {
				if others || app == "" || e.app == "" || e.app == app {
					return e.tmpl
				}
			}
		}
	}
	return nil
}

// Near returns the files that define what may have been meant by a template that is missing: those
// of the type, or else of a type with a similar name, in order.
func (s *Snapshot) Near(typ string) []string {
	byType := map[string][]string{}
	for key, list := range s.keys {
		t := key[:strings.LastIndexByte(key, '.')]
		for _, e := range list {
			byType[t] = append(byType[t], e.tmpl.File)
		}
	}
	if byType[typ] == nil {
		typ = spell.Nearest(typ, slices.Collect(maps.Keys(byType)))
	}
	return slices.Sorted(slices.Values(byType[typ]))
}

// Templates lists the templates of all files, in the order of their keys, then of their precedence.
func (s *Snapshot) Templates() (list []*Template) {
	for _, key := range slices.Sorted(maps.Keys(s.keys)) {
		for _, e := range s.keys[key] {
			list = append(list, e.tmpl)
		}
	}
	return list
}

// Generation changes whenever the store does.
func (s *Snapshot) Generation() uint64 { return s.gen }
