package secret

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Rules say how many secrets a store may have, and how they look.
type Rules struct {
	Prefix string // begins each secret, so that one that has leaked is recognised
	Most   int    // secrets that are good at a time
	// Displaces says that one secret too many displaces the oldest. Otherwise it is refused.
	Displaces bool
	// Each is how many secrets one holder may have, so that none can use up all; 0 means Most. The
	// holder "" may have Most.
	Each int
}

// A Store issues secrets that open scopes of type T. It lives as long as the process. Use
// [NewStore]. Its methods may be called from anywhere.
type Store[T any] struct {
	rules Rules

	mu     sync.Mutex   // guards the fields below
	list   []*Issued[T] // in the order in which they were issued
	issued uint64       // how many there were
}

// An Issued secret is one that is good, or was. Its fields never change.
type Issued[T any] struct {
	ID    string // names the secret; not secret
	Scope T      // what it opens

	hash    hash
	holder  string
	expires time.Time       // without the monotonic reading
	ends    time.Time       // the same moment, with it
	life    context.Context // ends with the secret
	end     func()
}

// NewStore returns a store without any secret.
func NewStore[T any](r Rules) *Store[T] {
	return &Store[T]{rules: r}
}

// Issue returns a new secret of a holder. It is good for the given time, but not after the issuer's
// secret, unless that is nil; life is at most MaxLife. Issue reports false if there are too many
// secrets.
func (s *Store[T]) Issue(issuer *Issued[T], holder string, scope T, life time.Duration) (text string, _ *Issued[T], ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removeLocked(func(i *Issued[T]) bool { return !i.Good() })
	if len(s.list) >= s.rules.Most {
		if !s.rules.Displaces {
			return "", nil, false
		}
		oldest := s.list[0]
		s.removeLocked(func(i *Issued[T]) bool { return i == oldest })
	}
	if s.rules.Each > 0 && holder != "" && s.heldLocked(holder) >= s.rules.Each {
		return "", nil, false
	}
	text = s.rules.Prefix + New()
	s.issued++
	i := &Issued[T]{ID: strconv.FormatUint(s.issued, 10), Scope: scope, hash: hashOf(text), holder: holder}
	from := context.Background()
	if issuer != nil {
		from = issuer.life
	}
	withdrawn, withdraw := context.WithCancelCause(from)
	// Without the monotonic reading, the difference to a later time counts the machine's sleep.
	i.ends = time.Now().Add(min(life, MaxLife))
	if issuer != nil && issuer.ends.Before(i.ends) {
		i.ends = issuer.ends
	}
	expires := i.ends.Round(0)
	var release context.CancelFunc
	i.life, release = context.WithDeadlineCause(withdrawn, expires, ErrWithdrawn)
	i.end = func() {
		withdraw(ErrWithdrawn)
		release()
	}
	i.expires, _ = i.life.Deadline()
	s.list = append(s.list, i)
	return text, i, true
}

// Find returns a good secret by its text. It reports false for one that was never issued, has
// expired or was withdrawn.
func (s *Store[T]) Find(text string) (*Issued[T], bool) {
	h := hashOf(text)
	return s.find(func(i *Issued[T]) bool { return i.hash == h })
}

// Get returns a good secret by its ID.
func (s *Store[T]) Get(id string) (*Issued[T], bool) {
	return s.find(func(i *Issued[T]) bool { return i.ID == id })
}

func (s *Store[T]) find(is func(*Issued[T]) bool) (*Issued[T], bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := slices.IndexFunc(s.list, is); n >= 0 && s.list[n].Good() {
		return s.list[n], true
	}
	return nil, false
}

// Redeem is Find for secrets that are good once: of many calls with a text, one gets its scope.
func (s *Store[T]) Redeem(text string) (scope T, ok bool) {
	i, ok := s.Find(text)
	if !ok || !s.Withdraw(i.ID) {
		return scope, false
	}
	return i.Scope, true
}

// Withdraw ends a secret and those that it has issued: they are good no more when it returns. It
// reports false if there is no such secret.
func (s *Store[T]) Withdraw(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.removeLocked(func(i *Issued[T]) bool { return i.ID == id && i.Good() })
}

// List returns the good secrets, the oldest first.
func (s *Store[T]) List() []*Issued[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.list), func(i *Issued[T]) bool { return !i.Good() })
}

// Good reports whether a secret has neither expired nor been withdrawn. Its context alone would not
// do: timers stand still while the machine sleeps.
func (i *Issued[T]) Good() bool { return i.life.Err() == nil && i.Left() > 0 }

// Left returns the time until a secret expires, or 0. A clock that is set back adds nothing to it.
func (i *Issued[T]) Left() time.Duration {
	return max(min(time.Until(i.expires), time.Until(i.ends)), 0)
}

// Bind returns a context that ends with the secret, too, because of [ErrWithdrawn]. It may end
// before Bind returns. stop releases what it holds.
func (i *Issued[T]) Bind(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	if !i.Good() {
		cancel(ErrWithdrawn)
	}
	unlink := context.AfterFunc(i.life, func() { cancel(ErrWithdrawn) })
	return ctx, func() {
		unlink()
		cancel(context.Canceled)
	}
}

func (s *Store[T]) heldLocked(holder string) (n int) {
	for _, i := range s.list {
		if i.holder == holder {
			n++
		}
	}
	return n
}

// removeLocked ends and forgets the secrets that match, and reports whether there are any.
func (s *Store[T]) removeLocked(match func(*Issued[T]) bool) (removed bool) {
	s.list = slices.DeleteFunc(s.list, func(i *Issued[T]) bool {
		if !match(i) {
			return false
		}
		i.end()
		removed = true
		return true
	})
	return removed
}
