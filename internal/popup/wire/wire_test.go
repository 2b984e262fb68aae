package wire

import (
	"errors"
	"testing"

	"ui-mcp/internal/fault"
)

// A page whose answer was not taken takes another one, unless the question is over.
func TestVerdictOn(t *testing.T) {
	if got := VerdictOn("a", nil); got != (Verdict{Type: "verdict", ID: "a", OK: true, Over: true}) {
		t.Errorf("without an error: %+v", got)
	}
	over := map[fault.Kind]bool{fault.Exists: true, fault.NotFound: true, fault.Gone: true}
	for kind := fault.Internal; kind <= fault.Unreachable; kind++ {
		got := VerdictOn("a", fault.New(kind, "why"))
		if want := (Verdict{Type: "verdict", ID: "a", Over: over[kind], Error: "why"}); got != want {
			t.Errorf("%v: %+v, want %+v", kind, got, want)
		}
	}
	if got := VerdictOn("a", errors.New("the disk is full")); got.Over || got.Error != "the disk is full" {
		t.Errorf("an error without a kind: %+v", got)
	}
}
