// Package ticket keeps secrets that are good once and for a short time, for callers who cannot send
// credentials, such as browsers. Only hashes of them are kept.
package ticket

import (
	"crypto/rand"
	"crypto/sha256"
	"slices"
	"sync"
	"time"
)

// A Store has the tickets that wait to be used, each with a value. Its methods may be called from
// anywhere. The fields must not change after the first call.
type Store[T any] struct {
	Life time.Duration // for which a ticket can be used
	Most int           // tickets that may wait
	// Displaces says that one ticket too many displaces the oldest. Otherwise it is refused.
	Displaces bool
	// Each is how many tickets may wait of one holder, so that none can use up all; 0 means Most.
	// The holder "" may have Most.
	Each int

	mu   sync.Mutex // guards the field below
	list []entry[T] // the oldest first
}

type entry[T any] struct {
	hash    [sha256.Size]byte
	holder  string
	value   T
	expires time.Time
}

// Issue returns a new ticket: 32 letters and digits. It reports false when too many wait.
func (s *Store[T]) Issue(holder string, value T, now time.Time) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expireLocked(now)
	if len(s.list) >= s.Most {
		if !s.Displaces {
			return "", false
		}
		s.list = s.list[1:]
	}
	if holder != "" && s.Each > 0 {
		n := 0
		for _, e := range s.list {
			if e.holder == holder {
				n++
			}
		}
		if n >= s.Each {
			return "", false
		}
	}
	text := (rand.Text() + rand.Text())[:32]
	s.list = append(s.list, entry[T]{sha256.Sum256([]byte(text)), holder, value, now.Add(s.Life)})
	return text, true
}

// Redeem uses up a ticket and returns its value. It reports false for one that was used, is too old
// or was never issued.
func (s *Store[T]) Redeem(text string, now time.Time) (value T, ok bool) {
	// The time of the search depends on hashes alone, from which no part of a ticket follows.
	hash := sha256.Sum256([]byte(text))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expireLocked(now)
	i := slices.IndexFunc(s.list, func(e entry[T]) bool { return e.hash == hash })
	if i < 0 {
		return value, false
	}
	value = s.list[i].value
	s.list = slices.Delete(s.list, i, i+1)
	return value, true
}

func (s *Store[T]) expireLocked(now time.Time) {
	s.list = slices.DeleteFunc(s.list, func(e entry[T]) bool { return !now.Before(e.expires) })
}
