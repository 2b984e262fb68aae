package secret_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/secret"
)

type store = secret.Store[int]

func issue(t *testing.T, s *store, issuer *secret.Issued[int], holder string, scope int, life time.Duration) (string, *secret.Issued[int]) {
	t.Helper()
	text, i, ok := s.Issue(issuer, holder, scope, life)
	if !ok || i.Scope != scope {
		t.Fatalf("%q for %d: %t", text, scope, ok)
	}
	return text, i
}

func scopes(s *store) (list []int) {
	for _, i := range s.List() {
		list = append(list, i.Scope)
	}
	return list
}

// A secret is good for its time, opens its own scope, and nothing like it is good.
func TestLife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := secret.NewStore[int](secret.Rules{Prefix: "x_", Most: 10})
		one, first := issue(t, s, nil, "", 1, time.Minute)
		two, second := issue(t, s, nil, "", 2, time.Hour)
		if !strings.HasPrefix(one, "x_") || len(one) != 34 || first.ID == second.ID || one == two {
			t.Errorf("%q and %q with the IDs %s and %s", one, two, first.ID, second.ID)
		}
		for _, text := range []string{"", one + "x", one[1:], strings.ToLower(one), first.ID} {
			if _, ok := s.Find(text); ok {
				t.Errorf("%q is good", text)
			}
		}
		ctx, stop := first.Bind(t.Context())
		defer stop()
		time.Sleep(time.Minute - time.Nanosecond)
		if i, ok := s.Find(one); !ok || i != first || first.Left() != time.Nanosecond || ctx.Err() != nil {
			t.Errorf("before its end: %v, %t, left %v, context %v", i, ok, first.Left(), ctx.Err())
		}
		if i, ok := s.Get(first.ID); !ok || i != first {
			t.Errorf("before its end, by its ID: %v, %t", i, ok)
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if _, ok := s.Find(one); ok || first.Good() || first.Left() != 0 || fault.DetailOf(context.Cause(ctx)) != secret.Withdrawn {
			t.Errorf("after its end: %t, good %t, left %v, context %v", ok, first.Good(), first.Left(), context.Cause(ctx))
		}
		if _, ok := s.Get(first.ID); ok || s.Withdraw(first.ID) {
			t.Error("it can be found or withdrawn by its ID")
		}
		if _, ok := s.Redeem(one); ok {
			t.Error("it can be redeemed")
		}
		late, stop := first.Bind(t.Context())
		defer stop()
		if fault.DetailOf(context.Cause(late)) != secret.Withdrawn {
			t.Errorf("a context that is bound too late: %v", context.Cause(late))
		}
		if d := cmp.Diff([]int{2}, scopes(s)); d != "" {
			t.Error(d)
		}
		time.Sleep(-time.Minute + time.Hour)
		if len(s.List()) != 0 {
			t.Error("expired secrets are listed")
		}
	})
}

// No secret is good for longer than a year.
func TestLongestLife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := secret.NewStore[int](secret.Rules{Most: 10})
		_, i := issue(t, s, nil, "", 1, 2*secret.MaxLife)
		if i.Left() != secret.MaxLife {
			t.Errorf("left %v", i.Left())
		}
	})
}

// Withdrawing a secret ends what it has issued, and what is bound to these, and nothing else.
func TestWithdraw(t *testing.T) {
	s := secret.NewStore[int](secret.Rules{Most: 10})
	text, first := issue(t, s, nil, "", 1, time.Minute)
	_, second := issue(t, s, first, "", 2, time.Hour)
	third, last := issue(t, s, second, "", 3, time.Second)
	issue(t, s, nil, "", 4, time.Hour)
	if second.Left() > time.Minute || last.Left() > time.Second {
		t.Errorf("left %v and %v: longer than its issuer's", second.Left(), last.Left())
	}
	ctx, stop := last.Bind(t.Context())
	defer stop()
	gone, leave := last.Bind(t.Context())
	leave()
	if !s.Withdraw(first.ID) || s.Withdraw(first.ID) || s.Withdraw("99") {
		t.Error("it was not withdrawn once")
	}
	for _, text := range []string{text, third} {
		if _, ok := s.Find(text); ok {
			t.Errorf("%q is good", text)
		}
	}
	<-ctx.Done()
	if err := context.Cause(ctx); fault.DetailOf(err) != secret.Withdrawn || fault.KindOf(err) != fault.Gone {
		t.Errorf("bound: %v", err)
	}
	if err := context.Cause(gone); err != context.Canceled {
		t.Errorf("released: %v", err)
	}
	if d := cmp.Diff([]int{4}, scopes(s)); d != "" {
		t.Error(d)
	}
	if _, late, ok := s.Issue(second, "", 5, time.Minute); !ok || late.Good() {
		t.Error("a withdrawn secret issues a good one")
	}
}

func TestRules(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := secret.NewStore[int](secret.Rules{Most: 5, Each: 2})
		used, _ := issue(t, s, nil, "a", 1, time.Minute)
		issue(t, s, nil, "a", 2, time.Minute)
		refused := func(holder, why string) {
			t.Helper()
			if text, i, ok := s.Issue(nil, holder, 0, time.Minute); ok || text != "" || i != nil {
				t.Error(why)
			}
		}
		refused("a", "one holder has more than it may")
		if scope, ok := s.Redeem(used); !ok || scope != 1 {
			t.Errorf("redeemed %d, %t", scope, ok)
		}
		issue(t, s, nil, "a", 3, time.Minute)
		for range 3 {
			issue(t, s, nil, "", 4, time.Minute)
		}
		refused("", "there are too many")
		refused("b", "there are too many")
		time.Sleep(time.Minute)
		issue(t, s, nil, "a", 6, time.Minute) // the others are too old
		if d := cmp.Diff([]int{6}, scopes(s)); d != "" {
			t.Error(d)
		}

		s = secret.NewStore[int](secret.Rules{Most: 3, Displaces: true})
		for scope := range 30 {
			issue(t, s, nil, "a", scope, time.Minute)
		}
		if d := cmp.Diff([]int{27, 28, 29}, scopes(s)); d != "" {
			t.Error(d)
		}
	})
}

// Secrets are listed in their order, however many they are.
func TestOrder(t *testing.T) {
	s := secret.NewStore[int](secret.Rules{Most: 100})
	for scope := range 100 {
		issue(t, s, nil, "", scope, time.Minute)
	}
	if list := scopes(s); len(list) != 100 || !slices.IsSorted(list) {
		t.Errorf("%v", list)
	}
}

// Of many that redeem a secret at once, one gets its scope.
func TestRedeemOnce(t *testing.T) {
	s := secret.NewStore[int](secret.Rules{Most: 1})
	for range 100 {
		text, _ := issue(t, s, nil, "", 1, time.Minute)
		var admitted atomic.Int32
		var racing sync.WaitGroup
		for range 8 {
			racing.Go(func() {
				if _, ok := s.Redeem(text); ok {
					admitted.Add(1)
				}
			})
		}
		racing.Wait()
		if n := admitted.Load(); n != 1 {
			t.Fatalf("a secret let %d in", n)
		}
	}
}
