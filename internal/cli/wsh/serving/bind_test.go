package serving

import (
	"log/slog"
	"strings"
	"testing"
)

// An IPv4 address stands for IPv4 alone, and is the address that is reported to the person.
func TestBindToAllOfVersion4(t *testing.T) {
	t.Parallel()
	l, err := bind(t.Context(), "0.0.0.0:0", false, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var out strings.Builder
	if err := greet(&out, new(Command).address(l.Addr().String()), ""); err != nil || !strings.Contains(out.String(), "http://0.0.0.0:") {
		t.Errorf("%v, %q", err, out.String())
	}
	if a := reachable(l.Addr()); !strings.HasPrefix(a, "127.0.0.1:") {
		t.Errorf("programs of this machine connect to %s", a)
	}
}
