package terminals

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"slices"
	"strconv"
	"sync"
	"time"

	"ui-mcp/internal/fault"
)

const (
	// TokenPrefix is how every issued token begins, so that one that has leaked into a repository
	// or a log is recognised.
	TokenPrefix = "wsh_"
	// MaxTokens is how many tokens may be valid at a time.
	MaxTokens = 1024

	// maxTokenLife is the longest life of a token.
	maxTokenLife = 365 * 24 * time.Hour
	// maxTokenScope bounds the sessions and the tags that a token names.
	maxTokenScope = 64
	// maxTokenName is the length of a token's name, in bytes.
	maxTokenName = 64
)

// Withdrawn is the detail of the error that ends requests and connections when their token is
// withdrawn or expires.
const Withdrawn fault.Detail = "auth_invalid"

// Tokens are the credentials that give callers less than everything. They live as long as the
// process. Only their hashes are kept, so this memory reveals none of them. Tokens is safe for
// concurrent use.
type Tokens struct {
	mu     sync.Mutex // guards the fields below
	byHash map[[sha256.Size]byte]*token
	byID   map[string]*token
	serial uint64 // of the newest token
}

// A token is one issued credential. Its fields never change.
type token struct {
	hash    [sha256.Size]byte
	serial  uint64
	name    string
	grant   Grant
	parent  string // ID of the token that issued it, or ""
	expires time.Time
	life    context.Context // ends with the token
	end     context.CancelCauseFunc
	timer   *time.Timer
}

func newTokens() *Tokens {
	return &Tokens{byHash: map[[sha256.Size]byte]*token{}, byID: map[string]*token{}}
}

// Find returns what a token allows. It reports false for one that was never issued, has expired or
// was withdrawn.
func (t *Tokens) Find(secret string) (Grant, bool) {
	// The time of the look-up depends on the hash alone, from which no part of the token follows.
	hash := sha256.Sum256([]byte(secret))
	t.mu.Lock()
	defer t.mu.Unlock()
	k := t.byHash[hash]
	if k == nil || k.expired() {
		return Grant{}, false
	}
	return k.grant, true
}

// NewContext is [NewContext] for a grant that [Tokens.Find] has returned, or one without a token.
// The context ends, with an error of the detail [Withdrawn], when the token is withdrawn or
// expires, which may be before NewContext returns. stop releases what the context holds.
func (t *Tokens) NewContext(ctx context.Context, by Grant) (_ context.Context, stop func()) {
	ctx = NewContext(ctx, by)
	if by.Token == "" {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	t.mu.Lock()
	k := t.byID[by.Token]
	t.mu.Unlock()
	if k == nil || k.expired() {
		cancel(errWithdrawn)
		return ctx, func() {}
	}
	unlink := context.AfterFunc(k.life, func() { cancel(errWithdrawn) })
	return ctx, func() {
		unlink()
		cancel(context.Canceled)
	}
}

var errWithdrawn = fault.With(Withdrawn, fault.New(fault.Gone, "the token has expired or was withdrawn"))

// expired reports whether a token is too old. A timer alone would not do: timers stand still while
// the machine sleeps.
func (k *token) expired() bool { return !time.Now().Before(k.expires) }

// issue makes a token with a grant, on behalf of a caller who has at least those rights.
func (t *Tokens) issue(by Grant, name string, g Grant, life time.Duration) (secret string, _ *token, _ error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.byID) >= MaxTokens {
		return "", nil, fault.New(fault.Exhausted, "there are %d tokens already: withdraw some", MaxTokens)
	}
	// Without the monotonic reading, the difference to a later time counts the machine's sleep.
	expires := time.Now().Add(life).Round(0)
	if by.Token != "" {
		issuer := t.byID[by.Token]
		if issuer == nil {
			return "", nil, errWithdrawn
		}
		if issuer.expires.Before(expires) {
			expires = issuer.expires
		}
	}
	secret = TokenPrefix + rand.Text()
	t.serial++
	g.Token = strconv.FormatUint(t.serial, 10)
	k := &token{
		hash: sha256.Sum256([]byte(secret)), serial: t.serial, name: name, grant: g, parent: by.Token, expires: expires,
	}
	k.life, k.end = context.WithCancelCause(context.Background())
	k.timer = time.AfterFunc(time.Until(expires), func() { t.withdraw(g.Token) })
	t.byID[g.Token], t.byHash[k.hash] = k, k
	return secret, k, nil
}

// withdraw ends a token and those that it has issued. It reports false if there is no such token.
func (t *Tokens) withdraw(id string) bool {
	t.mu.Lock()
	ended := t.removeLocked(id)
	t.mu.Unlock()
	for _, k := range ended {
		k.timer.Stop()
		k.end(errWithdrawn)
	}
	return len(ended) > 0
}

// removeLocked removes a token and those that it has issued, and returns them.
func (t *Tokens) removeLocked(id string) []*token {
	k := t.byID[id]
	if k == nil {
		return nil
	}
	delete(t.byID, id)
	delete(t.byHash, k.hash)
	ended := []*token{k}
	for child, c := range t.byID {
		if c.parent == id {
			ended = append(ended, t.removeLocked(child)...)
		}
	}
	return ended
}

func (t *Tokens) list() []*token {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []*token
	for _, k := range t.byID {
		if !k.expired() {
			list = append(list, k)
		}
	}
	slices.SortFunc(list, func(a, b *token) int { return cmp.Compare(a.serial, b.serial) })
	return list
}

// describe returns what callers may know of a token.
func (k *token) describe() Token {
	return Token{
		ID: k.grant.Token, Name: k.name, Rights: k.grant.Rights.names(), Sessions: k.grant.Sessions, Tags: k.grant.Tags,
		ExpiresInMS: max(time.Until(k.expires).Milliseconds(), 0),
	}
}

// NewToken is the input of [CreateToken].
type NewToken struct {
	Name        string   `json:"name,omitempty" jsonschema:"what the token is for, at most 64 bytes; lists show it"`
	Rights      []string `json:"rights" jsonschema:"what it allows: read, type, draw, manage, administer" min:"1"`
	Sessions    []string `json:"sessions,omitempty" jsonschema:"names of the sessions that it covers; left out with tags: all" min:"1" max:"64"`
	Tags        []string `json:"tags,omitempty" jsonschema:"it covers sessions with one of these tags" min:"1" max:"64"`
	ExpiresInMS *uint64  `json:"expires_in_ms,omitempty" jsonschema:"milliseconds until it expires; a year at most, and not after the token of the caller" default:"86400000" min:"1" max:"31536000000"`
}

// Token describes a token, without the token itself.
type Token struct {
	ID          string   `json:"id" jsonschema:"names the token; not secret"`
	Name        string   `json:"name,omitempty" jsonschema:"what it is for"`
	Rights      []string `json:"rights" jsonschema:"what it allows"`
	Sessions    []string `json:"sessions,omitempty" jsonschema:"names of the sessions that it covers; left out with tags: all"`
	Tags        []string `json:"tags,omitempty" jsonschema:"it covers sessions with one of these tags"`
	ExpiresInMS int64    `json:"expires_in_ms" jsonschema:"milliseconds until it expires"`
}

// IssuedToken is the answer of [CreateToken].
type IssuedToken struct {
	Secret string `json:"token" jsonschema:"the token itself, which is in no other answer"`
	Token
}

// TokenID is the input of [WithdrawToken].
type TokenID struct {
	ID string `json:"id" jsonschema:"id of the token"`
}

// Operations on tokens.
var (
	CreateToken = onServer(Operation{
		Name: "token.create", Kind: Change, Right: Administer,
		Doc:   "Issues a token with at most the caller's rights. It is valid until it expires, it or the caller's own token is withdrawn, or the server ends.",
		Fails: []Failure{invalid, exhausted, {fault.Gone, Withdrawn, "the caller's own token was withdrawn meanwhile"}},
	}, createToken)

	ListTokens = onServer(Operation{
		Name: "token.list", Kind: Query, Right: Administer, Doc: "Lists the valid tokens that were issued, the oldest first.",
	}, func(_ context.Context, l *Local, _ Grant, _ None) ([]Token, error) {
		list := []Token{}
		for _, k := range l.tokens.list() {
			list = append(list, k.describe())
		}
		return list, nil
	})

	WithdrawToken = onServer(Operation{
		Name: "token.withdraw", Kind: Change, Right: Administer,
		Doc:   "Withdraws a token and those that it has issued. Their requests and connections end at once.",
		Fails: []Failure{{fault.NotFound, NoToken, "there is no such token"}},
	}, func(_ context.Context, l *Local, _ Grant, in TokenID) (None, error) {
		if !l.tokens.withdraw(in.ID) {
			return None{}, fault.With(NoToken, fault.New(fault.NotFound, "there is no token %.64q", in.ID))
		}
		return None{}, nil
	})
)

// NoToken is the detail of errors about a token that does not exist.
const NoToken fault.Detail = "token_not_found"

func createToken(_ context.Context, l *Local, by Grant, in NewToken) (IssuedToken, error) {
	g, err := in.grant()
	if err != nil {
		return IssuedToken{}, err
	}
	if by.Rights&g.Rights != g.Rights {
		return IssuedToken{}, fault.With(NotAllowed, fault.New(fault.Precondition, "a token cannot allow more than its issuer may do"))
	}
	life := 24 * time.Hour
	if in.ExpiresInMS != nil {
		life = time.Duration(min(*in.ExpiresInMS, uint64(maxTokenLife.Milliseconds())+1)) * time.Millisecond
	}
	if life <= 0 || life > maxTokenLife {
		return IssuedToken{}, fault.New(fault.Invalid, "expires_in_ms must be from 1 to %d", maxTokenLife.Milliseconds())
	}
	if len(in.Name) > maxTokenName {
		return IssuedToken{}, fault.New(fault.Invalid, "name is longer than %d bytes", maxTokenName)
	}
	g.Confirm = by.Confirm // a token allows no more than its issuer may do
	secret, k, err := l.tokens.issue(by, in.Name, g, life)
	if err != nil {
		return IssuedToken{}, err
	}
	return IssuedToken{secret, k.describe()}, nil
}

// grant returns the grant of the new token.
func (in NewToken) grant() (Grant, error) {
	g := Grant{Sessions: slices.Clone(in.Sessions), Tags: slices.Clone(in.Tags)}
	for _, name := range in.Rights {
		right, ok := rightNamed(name)
		if !ok {
			return Grant{}, fault.New(fault.Invalid, "rights: %.32q is not one of %s", name, AllRights)
		}
		g.Rights |= right
	}
	switch {
	case g.Rights == 0:
		return Grant{}, fault.New(fault.Invalid, "rights is missing: a list of %s", AllRights)
	case g.Rights&Administer != 0 && (g.Sessions != nil || g.Tags != nil):
		return Grant{}, fault.New(fault.Invalid, "the right to administer concerns the whole server: leave out sessions and tags")
	}
	for _, scope := range []struct {
		name string
		list []string
	}{{"sessions", g.Sessions}, {"tags", g.Tags}} {
		// An empty list is more likely a mistake than a token for nothing, or for everything.
		if scope.list != nil && len(scope.list) == 0 || len(scope.list) > maxTokenScope {
			return Grant{}, fault.New(fault.Invalid, "%s must have 1 to %d items, or be left out", scope.name, maxTokenScope)
		}
		for _, item := range scope.list {
			if item == "" || len(item) > 64 {
				return Grant{}, fault.New(fault.Invalid, "%s: an item has 1 to 64 bytes", scope.name)
			}
		}
	}
	return g, nil
}
