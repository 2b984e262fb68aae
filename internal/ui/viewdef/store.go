package viewdef

import (
	"cmp"
	"slices"
	"sync"
)

// A Store holds the templates of one base directory. Where several files define one key, the one of
// the lowest rank counts, then the first by name. It is safe for concurrent use.
type Store struct {
	mu   sync.RWMutex // guards the fields below
	gen  uint64
	keys map[string][]entry
}

type entry struct {
	rank int
	tmpl *Template
}

// NewStore returns an empty store.
func NewStore() *Store { return &Store{keys: map[string][]entry{}} }

// Put adds a template, or replaces the one of the same file and key.
func (s *Store) Put(rank int, t *Template) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := slices.DeleteFunc(slices.Clone(s.keys[t.Key]), func(e entry) bool { return e.tmpl.File == t.File })
	list = append(list, entry{rank, t})
	slices.SortStableFunc(list, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.tmpl.File, b.tmpl.File))
	})
	s.keys[t.Key] = list
	s.gen++
}

// Remove drops what file defined for key, and reports whether there was anything.
func (s *Store) Remove(key, file string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.keys[key]
	list := slices.DeleteFunc(slices.Clone(old), func(e entry) bool { return e.tmpl.File == file })
	if len(list) == len(old) {
		return false
	}
	if len(list) == 0 {
		delete(s.keys, key)
	} else {
		s.keys[key] = list
	}
	s.gen++
	return true
}

// Lookup returns the template for a type: that of the namespace, else that of the fallback
// namespace, else DEFAULT, else nil.
func (s *Store) Lookup(typ, namespace, fallback string) *Template {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, ns := range [...]string{namespace, fallback, "DEFAULT"} {
		if ns == "" {
			continue
		}
		if list := s.keys[typ+"."+ns]; len(list) > 0 {
			return list[0].tmpl
		}
	}
	return nil
}

// Generation changes whenever the store does.
func (s *Store) Generation() uint64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.gen
}
