package ui

import (
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	p := pace{share: 0.25, burst: time.Second}
	now := time.Unix(0, 0)
	// Less than the share can go on for ever.
	for range 1000 {
		now = now.Add(100 * time.Millisecond)
		if p.spend(now, 24*time.Millisecond) || p.wait(now) != 0 {
			t.Fatal("work below the share is slowed down")
		}
	}
	// More than that uses up the burst, and then gets the share.
	start := now
	for !p.spend(now, 10*time.Millisecond) {
		now = now.Add(10 * time.Millisecond)
	}
	if took := now.Sub(start); took < time.Second || took > 2*time.Second {
		t.Errorf("the burst ended after %v", took)
	}
	start = now
	var spent time.Duration
	for now.Sub(start) < time.Minute {
		now = now.Add(p.wait(now) + time.Millisecond)
		p.spend(now, time.Millisecond)
		spent += time.Millisecond
	}
	if share := float64(spent) / float64(now.Sub(start)); share < 0.2 || share > 0.3 {
		t.Errorf("its share is %.2f", share)
	}
	if p.calm(now) || !p.calm(now.Add(3*time.Second)) {
		t.Error("calm at the wrong time")
	}
}
