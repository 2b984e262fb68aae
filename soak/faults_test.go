//go:build linux

package soak

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// ending matches the faults after which a server starts again.
var ending = regexp.MustCompile("^(kill|ask) .*server")

// strike makes the faults of a plan happen, one after another.
func (w *world) strike(ctx context.Context, name string, faults map[string]func(ctx context.Context, f fault)) {
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(faults)) {
		if !slices.Contains(strings.Split(settings.without, ","), kind) {
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) == 0 {
		return
	}
	for _, f := range plan(w.s.seed, name, kinds, settings.length, settings.faults) {
		if !sleep(ctx, f.at-time.Since(w.s.start)) {
			return
		}
		if ending.MatchString(f.kind) && f.at > settings.length*6/10 {
			continue // so that servers run long enough to measure what they hold
		}
		w.s.note("fault", "%s (%d)", f.kind, f.target)
		// What has begun is repaired, also when the soak ends meanwhile.
		faults[f.kind](context.WithoutCancel(ctx), f)
		w.s.note("repaired", "%s (%d)", f.kind, f.target)
	}
}

// summary says how much has happened.
func (s *soak) summary() string {
	s.timeline.mu.Lock()
	defer s.timeline.mu.Unlock()
	var b strings.Builder
	b.WriteString("in " + time.Since(s.start).Round(time.Second).String() + ":")
	for _, kind := range slices.Sorted(maps.Keys(s.count)) {
		fmt.Fprintf(&b, " %d %s,", s.count[kind], kind)
	}
	return strings.TrimSuffix(b.String(), ",")
}
