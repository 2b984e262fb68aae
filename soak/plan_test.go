//go:build linux

package soak

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// stream returns the random numbers of one actor. They depend on the seed and the actor's name
// only, so that the same seed makes each actor do the same, whatever the others do meanwhile.
func stream(seed uint64, actor string) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprint(h, actor)
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// pause returns a random pause whose mean is given.
func pause(r *rand.Rand, mean time.Duration) time.Duration {
	return mean/2 + time.Duration(r.Int64N(int64(mean)))
}

// A fault is something that goes wrong at a time after the start.
type fault struct {
	at     time.Duration
	kind   string
	target int           // which of those that it can strike; it counts round
	length time.Duration // of a fault that is repaired
}

func (f fault) String() string {
	return fmt.Sprintf("%6.1f s: %s (%d) for %.1f s", f.at.Seconds(), f.kind, f.target, f.length.Seconds())
}

// plan returns the faults of a run, of the given kinds and at random times. Each kind occurs once
// before one occurs again.
func plan(seed uint64, name string, kinds []string, length, mean time.Duration) (list []fault) {
	r := stream(seed, "faults "+name)
	var order []int
	for at := pause(r, mean); at < length; at += pause(r, mean) {
		if len(order) == 0 {
			order = r.Perm(len(kinds))
		}
		list = append(list, fault{at, kinds[order[0]], r.IntN(1000), time.Second + time.Duration(r.Int64N(int64(3*time.Second)))})
		order = order[1:]
	}
	return list
}

// The same seed gives the same schedule, and another one another.
func TestPlan(t *testing.T) {
	kinds := []string{"a", "b", "c", "d"}
	make := func(seed uint64) []fault { return plan(seed, "x", kinds, time.Hour, 10*time.Second) }
	first := make(1)
	if !reflect.DeepEqual(first, make(1)) {
		t.Error("one seed gives two plans")
	}
	if reflect.DeepEqual(first, make(2)) {
		t.Error("two seeds give one plan")
	}
	count := map[string]int{}
	for i, f := range first {
		count[f.kind]++
		if i > 0 && f.at <= first[i-1].at {
			t.Errorf("%v comes after %v", first[i-1], f)
		}
	}
	for _, kind := range kinds {
		if n := count[kind]; n < len(first)/len(kinds) || n > len(first)/len(kinds)+1 {
			t.Errorf("%s is %d of %d faults", kind, n, len(first))
		}
	}
	if a, b := stream(1, "a").Uint64(), stream(1, "b").Uint64(); a == b || a != stream(1, "a").Uint64() {
		t.Errorf("actors have the numbers %d and %d", a, b)
	}
}
