//go:build linux

package soak

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A gauge knows how long a server took for its answers of late.
type gauge struct {
	mu      sync.Mutex // guards the fields below
	answers []answered
	waiting map[int]time.Time // since when, for calls without an answer
	last    int
}

type answered struct {
	at   time.Time
	took time.Duration
}

// lately is how long an answer counts.
const lately = 10 * time.Second

// begin notes a call, until the result is called.
func (g *gauge) begin() (end func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.last++
	n, begun := g.last, time.Now()
	if g.waiting == nil {
		g.waiting = map[int]time.Time{}
	}
	g.waiting[n] = begun
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		delete(g.waiting, n)
		g.answers = append(g.answers, answered{time.Now(), time.Since(begun)})
		for time.Since(g.answers[0].at) > lately {
			g.answers = g.answers[1:]
		}
	}
}

// slowest returns how long the slowest answer took of late, or has taken so far.
func (g *gauge) slowest() (d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, a := range g.answers {
		if time.Since(a.at) <= lately {
			d = max(d, a.took)
		}
	}
	for _, begun := range g.waiting {
		d = max(d, time.Since(begun))
	}
	return d
}

func TestGauge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g gauge
		want := func(d time.Duration) {
			t.Helper()
			if got := g.slowest(); got != d {
				t.Errorf("the slowest answer took %s, want %s", got, d)
			}
		}
		want(0)
		end := g.begin()
		time.Sleep(2 * time.Second)
		want(2 * time.Second) // without an answer
		end()
		end = g.begin()
		time.Sleep(time.Second)
		end()
		want(2 * time.Second)
		time.Sleep(lately)
		want(time.Second)
		time.Sleep(lately)
		want(0)
	})
}
