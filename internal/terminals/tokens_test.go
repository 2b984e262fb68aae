package terminals_test

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"ui-mcp/internal/testkit/opcases"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
)

func newLocal(t *testing.T) *terminals.Local {
	t.Helper()
	r := opcases.Sessions(t, registry.Config{})
	return terminals.NewLocal(r, terminals.Host{Name: "host"})
}

func issue(t *testing.T, l *terminals.Local, by terminals.Grant, in terminals.NewToken) terminals.IssuedToken {
	t.Helper()
	issued, err := terminals.CreateToken.Do(t.Context(), l, by, in)
	must(t, err)
	return issued
}

func ids(t *testing.T, l *terminals.Local) []string {
	t.Helper()
	list, err := terminals.ListTokens.Do(t.Context(), l, terminals.Everything, terminals.None{})
	must(t, err)
	got := []string{}
	for _, token := range list {
		got = append(got, token.ID)
	}
	return got
}

// A token expires on time, together with its requests, and is not listed any more.
func TestTokenExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLocal(t)
		issued := issue(t, l, terminals.Everything, terminals.NewToken{Rights: []string{"read"}, ExpiresInMS: new(uint64(5000))})
		by, ok := l.Tokens().Find(issued.Secret)
		if !ok || by.Rights != terminals.Read || by.Token != issued.ID {
			t.Fatalf("found %t, %+v", ok, by)
		}
		ctx, stop := l.Tokens().NewContext(t.Context(), by)
		defer stop()
		if d := cmp.Diff(by, terminals.FromContext(ctx)); d != "" {
			t.Error(d)
		}
		time.Sleep(4999 * time.Millisecond)
		synctest.Wait()
		if ctx.Err() != nil {
			t.Error("the context ended too early")
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		if err := context.Cause(ctx); fault.DetailOf(err) != terminals.Withdrawn {
			t.Errorf("the context ended because of %v", err)
		}
		if _, ok := l.Tokens().Find(issued.Secret); ok {
			t.Error("the token is still good")
		}
		if got := ids(t, l); len(got) > 0 {
			t.Errorf("listed: %v", got)
		}
		late, stop := l.Tokens().NewContext(t.Context(), by)
		defer stop()
		if late.Err() == nil {
			t.Error("a new context of an expired token has not ended")
		}
	})
}

// A token without a given life is valid for a day, and never longer than the token that issued it.
func TestTokenLife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLocal(t)
		day := (24 * time.Hour).Milliseconds()
		if got := issue(t, l, terminals.Everything, terminals.NewToken{Rights: []string{"read"}}).ExpiresInMS; got != day {
			t.Errorf("expires in %d ms, want a day", got)
		}
		parent := issue(t, l, terminals.Everything, terminals.NewToken{Rights: []string{"administer", "read"}, ExpiresInMS: new(uint64(1000))})
		by, _ := l.Tokens().Find(parent.Secret)
		if got := issue(t, l, by, terminals.NewToken{Rights: []string{"read"}}).ExpiresInMS; got != 1000 {
			t.Errorf("expires in %d ms, its issuer in 1000", got)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if got := ids(t, l); len(got) != 1 {
			t.Errorf("listed: %v, want the first only", got)
		}
	})
}

// Withdrawing a token withdraws what it has issued, and nothing else.
func TestTokenIssuers(t *testing.T) {
	l := newLocal(t)
	admin := terminals.NewToken{Rights: []string{"administer", "read"}}
	grant := func(issued terminals.IssuedToken) terminals.Grant {
		by, ok := l.Tokens().Find(issued.Secret)
		if !ok {
			t.Fatalf("token %s is not good", issued.ID)
		}
		return by
	}
	first := issue(t, l, terminals.Everything, admin)
	second := issue(t, l, grant(first), admin)
	third := issue(t, l, grant(second), terminals.NewToken{Rights: []string{"read"}})
	other := issue(t, l, terminals.Everything, admin)
	ctx, stop := l.Tokens().NewContext(t.Context(), grant(third))
	defer stop()
	stale := grant(second)
	if _, err := terminals.WithdrawToken.Do(t.Context(), l, grant(other), terminals.TokenID{ID: first.ID}); err != nil {
		t.Fatal(err)
	}
	<-ctx.Done()
	if d := cmp.Diff([]string{other.ID}, ids(t, l)); d != "" {
		t.Error(d)
	}
	if _, err := terminals.CreateToken.Do(t.Context(), l, stale, admin); fault.DetailOf(err) != terminals.Withdrawn {
		t.Errorf("a withdrawn token issues another: %v", err)
	}
	if _, err := terminals.WithdrawToken.Do(t.Context(), l, terminals.Everything, terminals.TokenID{ID: first.ID}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("withdrawn again: %v", err)
	}
}

// There are at most MaxTokens, however many are issued at once; a withdrawn one makes room.
func TestTokenLimit(t *testing.T) {
	l := newLocal(t)
	in := terminals.NewToken{Rights: []string{"read"}}
	var running sync.WaitGroup
	var mu sync.Mutex
	refused := 0
	for range 8 {
		running.Go(func() {
			for range terminals.MaxTokens/8 + 10 {
				_, err := terminals.CreateToken.Do(t.Context(), l, terminals.Everything, in)
				mu.Lock()
				switch {
				case fault.KindOf(err) == fault.Exhausted:
					refused++
				case err != nil:
					t.Error(err)
				}
				mu.Unlock()
			}
		})
	}
	running.Wait()
	if got := len(ids(t, l)); got != terminals.MaxTokens || refused != 80 {
		t.Errorf("%d tokens, %d refused", got, refused)
	}
	if _, err := terminals.WithdrawToken.Do(t.Context(), l, terminals.Everything, terminals.TokenID{ID: strconv.Itoa(terminals.MaxTokens)}); err != nil {
		t.Fatal(err)
	}
	issue(t, l, terminals.Everything, in)
}

// Each limit of a new token is what it says, and one more is too much.
func TestTokenLimits(t *testing.T) {
	l := newLocal(t)
	year := uint64((365 * 24 * time.Hour).Milliseconds())
	long, tooLong := strings.Repeat("n", 64), strings.Repeat("n", 65)
	many := make([]string, 64)
	for i := range many {
		many[i] = strconv.Itoa(i)
	}
	for name, tt := range map[string]struct {
		in terminals.NewToken
		ok bool
	}{
		"a year":             {terminals.NewToken{ExpiresInMS: &year}, true},
		"more than a year":   {terminals.NewToken{ExpiresInMS: new(year + 1)}, false},
		"no time":            {terminals.NewToken{ExpiresInMS: new(uint64(0))}, false},
		"a name":             {terminals.NewToken{Name: long}, true},
		"a name too long":    {terminals.NewToken{Name: tooLong}, false},
		"sessions":           {terminals.NewToken{Sessions: many}, true},
		"too many sessions":  {terminals.NewToken{Sessions: append(many, "x")}, false},
		"too many tags":      {terminals.NewToken{Tags: append(many, "x")}, false},
		"no sessions":        {terminals.NewToken{Sessions: []string{}}, false},
		"a session":          {terminals.NewToken{Sessions: []string{long}}, true},
		"a session too long": {terminals.NewToken{Sessions: []string{tooLong}}, false},
		"an empty tag":       {terminals.NewToken{Tags: []string{""}}, false},
	} {
		tt.in.Rights = []string{"read"}
		if _, err := terminals.CreateToken.Do(t.Context(), l, terminals.Everything, tt.in); (err == nil) != tt.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A token's sessions count for the client that has issued it, and whatever is held back for that
// client needs permission with the token, too.
func TestTokenHasItsIssuersLimits(t *testing.T) {
	l := newLocal(t)
	rm, sudo := regexp.MustCompile("rm"), regexp.MustCompile("sudo")
	by := terminals.Everything.Confirmed(rm)
	by.OwnConfirm, by.Client, by.MaxSessions = []*regexp.Regexp{sudo}, "laptop", 3
	got, ok := l.Tokens().Find(issue(t, l, by, terminals.NewToken{Rights: []string{"manage"}}).Secret)
	if !ok || !slices.Equal(got.Confirm, []*regexp.Regexp{rm, sudo}) || got.Client != "laptop" || got.MaxSessions != 3 {
		t.Errorf("%+v", got)
	}
}

// A grant's confirmations add up, and no grant changes another.
func TestConfirmed(t *testing.T) {
	rm, sudo := regexp.MustCompile("rm"), regexp.MustCompile("sudo")
	one := terminals.Everything.Confirmed(rm)
	both, other, same := one.Confirmed(sudo), one.Confirmed(rm), one.Confirmed(nil)
	for name, tt := range map[string]struct{ got, want []*regexp.Regexp }{
		"everything": {terminals.Everything.Confirm, nil},
		"one":        {one.Confirm, []*regexp.Regexp{rm}},
		"both":       {both.Confirm, []*regexp.Regexp{rm, sudo}},
		"other":      {other.Confirm, []*regexp.Regexp{rm, rm}},
		"same":       {same.Confirm, []*regexp.Regexp{rm}},
	} {
		if !slices.Equal(tt.got, tt.want) {
			t.Errorf("%s: %v, want %v", name, tt.got, tt.want)
		}
	}
}
