package core

import (
	"strings"
	"testing"
	"time"
)

// A ledger is bounded, and says that entries are missing by their numbers.
func TestLedgerBounds(t *testing.T) {
	t.Parallel()
	var l Ledger
	add := func(e Typed) { l.add(epoch, e) }
	for range 1100 {
		add(Typed{Kind: InputKeys, Text: "Up", Count: 1})
	}
	if list := l.After(0); len(list) != maxTyped || list[0].Seq != 101 || l.Bytes != maxTyped*len("Up") {
		t.Errorf("%d entries from %d on, with %d bytes", len(list), list[0].Seq, l.Bytes)
	}
	long := strings.Repeat("é", MaxTypedText/2)
	for range 200 {
		add(Typed{Kind: InputText, Text: long, Count: len(long) / 2})
	}
	total, list := 0, l.After(0)
	for _, e := range list {
		total += len(e.Text)
	}
	if last := list[len(list)-1]; last.Seq != 1300 || last.Cut || last.Text != long || total != l.Bytes || total != maxLedger {
		t.Errorf("the last of %d entries with %d bytes is %d, cut %t, of %d bytes", len(list), total, last.Seq, last.Cut, len(last.Text))
	}
	if add(Typed{Kind: InputText, Text: "x" + long, Count: 1}); !l.After(1300)[0].Cut || len(l.After(1300)[0].Text) > MaxTypedText {
		t.Error("a longer text is not cut")
	}

	// What comes key by key stays one entry.
	const keys = MaxTypedText + 100
	for range keys {
		add(Typed{From: Sender{Kind: SenderRaw}, Kind: InputText, Text: "k", Count: 1})
	}
	if list := l.After(1301); len(list) != 1 || list[0].Count != keys || !list[0].Cut || len(list[0].Text) != MaxTypedText {
		t.Errorf("%d entries, the first with %d keys of %d bytes", len(list), list[0].Count, len(list[0].Text))
	}
}

// Input joins an entry of the same sender, kind and secrecy, soon after it.
func TestLedgerJoins(t *testing.T) {
	t.Parallel()
	first := Typed{From: Sender{Kind: SenderRaw, Name: "a"}, Kind: InputText, Text: "x", Count: 1}
	other, keys, secret, agent := first, first, first, first
	other.From.Name, keys.Kind, secret.Secret, agent.From.Kind = "b", InputKeys, true, SenderMCP
	for name, tt := range map[string]struct {
		first, next Typed
		after       time.Duration
		want        int
	}{
		"soon":           {first, first, time.Second - 1, 1},
		"late":           {first, first, time.Second, 2},
		"another sender": {first, other, 0, 2},
		"another kind":   {first, keys, 0, 2},
		"a secret":       {first, secret, 0, 2},
		"after a secret": {secret, first, 0, 2},
		"of an agent":    {agent, agent, 0, 2},
	} {
		var l Ledger
		l.add(epoch, tt.first)
		l.add(epoch.Add(tt.after), tt.next)
		list := l.After(0)
		if len(list) != tt.want || list[0].At != epoch || tt.want == 1 && (list[0].Text != "xx" || list[0].Count != 2) || l.Bytes != len(list[0].Text)+len(list[len(list)-1].Text)*(tt.want-1) {
			t.Errorf("%s: %+v", name, list)
		}
	}
}

// The newest entry of input that no person has typed is found behind those of persons.
func TestNewestOfPrograms(t *testing.T) {
	t.Parallel()
	var l Ledger
	if e, ok := l.NewestOfPrograms(); ok {
		t.Errorf("of an empty ledger: %+v", e)
	}
	for _, kind := range []SenderKind{SenderHTTP, SenderMCP, SenderAttach, SenderQuestion} {
		l.add(epoch, Typed{From: Sender{Kind: kind}, Kind: InputText, Text: "x", Count: 1})
	}
	if e, ok := l.NewestOfPrograms(); !ok || e.From.Kind != SenderMCP {
		t.Errorf("%+v, %t", e, ok)
	}
	if e := l.After(2)[0]; e.From.Kind != SenderAttach || e.Text != "" {
		t.Errorf("what a person has typed: %+v", e)
	}
}
