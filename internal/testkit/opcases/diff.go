package opcases

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// Diff returns where an answer differs from what it must contain, or "". Objects may have members
// that are not wanted; lists and other values must be equal.
func Diff(want, got string) string {
	var w, g any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		return fmt.Sprintf("what is wanted is not JSON: %v", err)
	}
	if err := json.Unmarshal([]byte(got), &g); err != nil {
		return fmt.Sprintf("the answer is not JSON: %v: %s", err, got)
	}
	return diff("answer", w, g)
}

func diff(at string, want, got any) string {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			break
		}
		for _, name := range slices.Sorted(maps.Keys(w)) {
			value, ok := g[name]
			if !ok {
				return fmt.Sprintf("%s has no %s: %v", at, name, got)
			}
			if d := diff(at+"."+name, w[name], value); d != "" {
				return d
			}
		}
		return ""
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			break
		}
		for i := range w {
			if d := diff(fmt.Sprintf("%s[%d]", at, i), w[i], g[i]); d != "" {
				return d
			}
		}
		return ""
	}
	if !reflect.DeepEqual(want, got) {
		return fmt.Sprintf("%s is %v, want %v", at, got, want)
	}
	return ""
}
