package serving

import (
	"slices"
	"testing"
)

func TestEnvironment(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		environ []string
		bare    bool
		locale  bool // is added
	}{
		{nil, true, true},
		{[]string{"HOME=/h", "LANG=de_DE.UTF-8"}, true, false},
		{[]string{"TERM=xterm", "LC_CTYPE=C"}, false, false},
		{[]string{"SHLVL=1", "LANG="}, false, true},
		{[]string{"TERM=", "LC_ALL=C"}, true, false},
	} {
		if got := isBare(tt.environ); got != tt.bare {
			t.Errorf("%q is bare: %v", tt.environ, got)
		}
		if got := withLocale(tt.environ); slices.Contains(got, "LANG=C.UTF-8") != tt.locale {
			t.Errorf("%q: with a locale %q", tt.environ, got)
		}
	}
}
