// Package place chooses the host on which a new session runs. It is pure: what hosts have announced
// goes in, and a choice comes out.
package place

import (
	"cmp"
	"slices"

	"ui-mcp/internal/terminals"
)

// A Host is what is known of one.
type Host struct {
	Name   string
	Labels []string // such as os=linux, or gpu
	terminals.Capacity
}

// busy returns how many of its processes each processor of the host has, with those that its load
// does not show yet. Where the load is not known, each session counts as one.
func (h Host) busy(unseen int) float64 {
	processes := float64(h.Running)
	if h.Load != nil {
		processes = *h.Load + float64(unseen)
	}
	return processes / float64(max(h.CPUs, 1))
}

// Choose returns the index of the host that has all labels, room for one more session, and the
// least to do for each of its processors. Of equal ones, it is the one with fewer sessions, and
// then the first by name.
//
// The load of a host lags behind, so several sessions placed within a minute would all get to the
// same one. Each session that was placed there recently, as placed says by the host's name, counts
// as a process that the load does not show yet.
func Choose(hosts []Host, labels []string, placed map[string]int) (int, error) {
	var fit, free []int
	for i, h := range hosts {
		if !terminals.HasLabels(h.Labels, labels) {
			continue
		}
		fit = append(fit, i)
		if h.Running < h.Most {
			free = append(free, i)
		}
	}
	switch {
	case len(fit) == 0:
		return 0, terminals.UnknownLabels(labels)
	case len(free) == 0:
		return 0, terminals.FullHosts(labels)
	}
	return slices.MinFunc(free, func(i, j int) int {
		a, b := hosts[i], hosts[j]
		return cmp.Or(cmp.Compare(a.busy(placed[a.Name]), b.busy(placed[b.Name])), cmp.Compare(a.Running, b.Running), cmp.Compare(a.Name, b.Name))
	}), nil
}
