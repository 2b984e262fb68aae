package terminals

import (
	"context"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/secret"
	"ui-mcp/internal/term/label"
)

const (
	// TokenPrefix is how every issued token begins, so that one that has leaked into a repository
	// or a log is recognised.
	TokenPrefix = "wsh_"
	// MaxTokens is how many tokens may be valid at a time.
	MaxTokens = 1024

	// maxTokenScope bounds the sessions and the tags that a token names.
	maxTokenScope = 64
	// maxScopeItem is the length of such a name, in bytes: HOST/SESSION.
	maxScopeItem = 2*label.MaxName + 1
	// maxTokenName is the length of a token's name, in bytes.
	maxTokenName = 64
)

// Withdrawn is the detail of the error that ends requests and connections when their token is
// withdrawn or expires.
const Withdrawn = secret.Withdrawn

// Tokens are the credentials that give callers less than everything. They live as long as the
// process. Tokens is safe for concurrent use.
type Tokens struct{ issued *secret.Store[named] }

// A named is what a token opens, and what it is for.
type named struct {
	name  string
	grant Grant // without the token's ID
}

// Find returns what a token allows. It reports false for one that was never issued, has expired or
// was withdrawn.
func (t *Tokens) Find(text string) (Grant, bool) {
	k, ok := t.issued.Find(text)
	if !ok {
		return Grant{}, false
	}
	g := k.Scope.grant
	g.Token = k.ID
	return g, true
}

// NewContext is [NewContext] for a grant that [Tokens.Find] has returned, or one without a token.
// The context ends, with an error of the detail [Withdrawn], when the token is withdrawn or
// expires, which may be before NewContext returns. stop releases what the context holds.
func (t *Tokens) NewContext(ctx context.Context, by Grant) (_ context.Context, stop func()) {
	ctx = NewContext(ctx, by)
	if by.Token == "" {
		return ctx, func() {}
	}
	if k, ok := t.issued.Get(by.Token); ok {
		return k.Bind(ctx)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	cancel(secret.ErrWithdrawn)
	return ctx, func() {}
}

// describe returns what callers may know of a token.
func describe(k *secret.Issued[named]) Token {
	g := k.Scope.grant
	return Token{ID: k.ID, Name: k.Scope.name, Rights: g.Rights.names(), Sessions: g.Sessions, Tags: g.Tags, ExpiresInMS: k.Left().Milliseconds()}
}

// NewToken is the input of [CreateToken].
type NewToken struct {
	Name        string   `json:"name,omitempty" jsonschema:"what the token is for, at most 64 bytes; lists show it"`
	Rights      []string `json:"rights" jsonschema:"what it allows: read, type, draw, manage, administer, answer" min:"1"`
	Sessions    []string `json:"sessions,omitzero" jsonschema:"names of the sessions that it covers, on other servers HOSTNAME/SESSION; left out with tags: all" min:"1" max:"64"`
	Tags        []string `json:"tags,omitzero" jsonschema:"it covers sessions with one of these tags, on other servers HOSTNAME/TAG" min:"1" max:"64"`
	ExpiresInMS *uint64  `json:"expires_in_ms,omitempty" jsonschema:"milliseconds until it expires; a year at most, and not after the token of the caller" default:"86400000" min:"1" max:"31536000000"`
}

// Token describes a token, without the token itself.
type Token struct {
	ID          string   `json:"id" jsonschema:"names the token; not secret"`
	Name        string   `json:"name,omitempty" jsonschema:"what it is for"`
	Rights      []string `json:"rights" jsonschema:"what it allows"`
	Sessions    []string `json:"sessions,omitzero" jsonschema:"names of the sessions that it covers, on other servers HOSTNAME/SESSION; left out with tags: all"`
	Tags        []string `json:"tags,omitzero" jsonschema:"it covers sessions with one of these tags, on other servers HOSTNAME/TAG"`
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
		Name: "token.create", Aliases: also("create_token"), Kind: Change, Right: Administer,
		Doc:   "Issues a token with at most the caller's rights. It is valid until it expires, it or the caller's own token is withdrawn, or the server ends.",
		Fails: []Failure{invalid, exhausted, {fault.Gone, Withdrawn, "the caller's own token was withdrawn meanwhile"}},
	}, func(_ context.Context, l *Local, by Grant, in NewToken) (IssuedToken, error) {
		g, err := in.grant()
		if err != nil {
			return IssuedToken{}, err
		}
		if by.Rights&g.Rights != g.Rights {
			return IssuedToken{}, fault.With(NotAllowed, fault.New(fault.Precondition, "a token cannot allow more than its issuer may do"))
		}
		life := 24 * time.Hour
		if in.ExpiresInMS != nil {
			life = time.Duration(min(*in.ExpiresInMS, uint64(secret.MaxLife.Milliseconds())+1)) * time.Millisecond
		}
		if life <= 0 || life > secret.MaxLife {
			return IssuedToken{}, fault.New(fault.Invalid, "expires_in_ms must be from 1 to %d", secret.MaxLife.Milliseconds())
		}
		if len(in.Name) > maxTokenName {
			return IssuedToken{}, fault.New(fault.Invalid, "name is longer than %d bytes", maxTokenName)
		}
		g.Confirm = slices.Concat(by.Confirm, by.OwnConfirm) // a token allows no more than its issuer may do
		g.Client, g.MaxSessions = by.Client, by.MaxSessions
		var issuer *secret.Issued[named]
		if by.Token != "" {
			var ok bool
			if issuer, ok = l.tokens.issued.Get(by.Token); !ok {
				return IssuedToken{}, secret.ErrWithdrawn
			}
		}
		text, k, ok := l.tokens.issued.Issue(issuer, "", named{in.Name, g}, life)
		if !ok {
			return IssuedToken{}, fault.New(fault.Exhausted, "there are %d tokens already: withdraw some", MaxTokens)
		}
		return IssuedToken{text, describe(k)}, nil
	})

	ListTokens = onServer(Operation{
		Name: "token.list", Aliases: also("list_tokens"), Kind: Query, Right: Administer, Doc: "Lists the valid tokens that were issued, the oldest first.",
	}, func(_ context.Context, l *Local, _ Grant, _ None) ([]Token, error) {
		list := []Token{}
		for _, k := range l.tokens.issued.List() {
			list = append(list, describe(k))
		}
		return list, nil
	})

	WithdrawToken = onServer(Operation{
		Name: "token.withdraw", Aliases: also("withdraw_token"), Kind: Change, Right: Administer,
		Doc:   "Withdraws a token and those that it has issued. Their requests and connections end at once.",
		Fails: []Failure{{fault.NotFound, NoToken, "there is no such token"}},
	}, func(_ context.Context, l *Local, _ Grant, in TokenID) (None, error) {
		if !l.tokens.issued.Withdraw(in.ID) {
			return None{}, fault.With(NoToken, fault.New(fault.NotFound, "there is no token %.64q", in.ID))
		}
		return None{}, nil
	})
)

// NoToken is the detail of errors about a token that does not exist.
const NoToken fault.Detail = "token_not_found"

func (in NewToken) grant() (Grant, error) {
	g := Grant{Sessions: slices.Clone(in.Sessions), Tags: slices.Clone(in.Tags)}
	for _, name := range in.Rights {
		i := slices.Index(rightNames[:], name)
		if i < 0 {
			return Grant{}, fault.New(fault.Invalid, "rights: %.32q is not one of %s", name, AllRights)
		}
		g.Rights |= 1 << i
	}
	switch {
	case g.Rights == 0:
		return Grant{}, fault.New(fault.Invalid, "rights is missing: a list of %s", AllRights)
	case g.Rights&whole != 0 && (g.Sessions != nil || g.Tags != nil):
		return Grant{}, fault.New(fault.Invalid, "the right to %s concerns the whole server: leave out sessions and tags", g.Rights&whole)
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
			_, name, elsewhere := strings.Cut(item, "/")
			if !elsewhere {
				name = item
			}
			if name == "" || len(name) > label.MaxName || len(item) > maxScopeItem {
				return Grant{}, fault.New(fault.Invalid, "%s: an item has 1 to %d bytes, and perhaps the name of another server and / before them", scope.name, label.MaxName)
			}
		}
	}
	return g, nil
}

var tokenOps = ops(CreateToken, ListTokens, WithdrawToken)
