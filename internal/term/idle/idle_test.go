package idle_test

import (
	"testing"
	"time"

	"ui-mcp/internal/term/idle"
)

func TestCheck(t *testing.T) {
	start := time.Unix(1000, 0)
	at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
	quiet := idle.Verdict{Quiet: true}
	ask := func(seconds int) idle.Verdict { return idle.Verdict{Ask: time.Duration(seconds) * time.Second} }
	for _, tt := range []struct {
		name    string
		touches []int // seconds
		now     int
		w       idle.Wait
		want    idle.Verdict
	}{
		{"new", nil, 0, idle.Wait{Timeout: 2 * time.Second}, ask(2)},
		{"quiet since the beginning", nil, 2, idle.Wait{Timeout: 2 * time.Second}, quiet},
		{"quiet for a while", []int{5}, 6, idle.Wait{Timeout: 2 * time.Second}, ask(1)},
		{"quiet for long enough", []int{5}, 7, idle.Wait{Timeout: 2 * time.Second}, quiet},
		{"no silence asked for", []int{5}, 5, idle.Wait{}, quiet},
		{"generation is known", []int{5}, 100, idle.Wait{Timeout: time.Second, HasAfter: true, After: 1}, idle.Verdict{}},
		{"generation zero is known", nil, 100, idle.Wait{Timeout: time.Second, HasAfter: true}, idle.Verdict{}},
		{"another generation", []int{5, 8}, 100, idle.Wait{Timeout: time.Second, HasAfter: true, After: 1}, quiet},
		{"another generation, not quiet", []int{5, 8}, 9, idle.Wait{Timeout: 3 * time.Second, HasAfter: true, After: 1}, ask(2)},
		{"a generation of the future", []int{5}, 9, idle.Wait{Timeout: 3 * time.Second, HasAfter: true, After: 7}, quiet},
		{"fresh ignores earlier silence", []int{5}, 100, idle.Wait{Timeout: 3 * time.Second, Fresh: true, Since: at(99)}, ask(2)},
		{"fresh is satisfied", []int{5}, 102, idle.Wait{Timeout: 3 * time.Second, Fresh: true, Since: at(99)}, quiet},
		{"fresh is disturbed", []int{100}, 102, idle.Wait{Timeout: 3 * time.Second, Fresh: true, Since: at(99)}, ask(1)},
		{"fresh beats generation", []int{5}, 102, idle.Wait{Timeout: time.Second, Fresh: true, Since: at(99), HasAfter: true, After: 1}, quiet},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := idle.New(start)
			for _, s := range tt.touches {
				d.Touch(at(s))
			}
			if got := d.Check(at(tt.now), tt.w); got != tt.want {
				t.Errorf("Check = %+v, want %+v", got, tt.want)
			}
			if d.Count != uint64(len(tt.touches)) {
				t.Errorf("generation %d after %d touches", d.Count, len(tt.touches))
			}
		})
	}
}
