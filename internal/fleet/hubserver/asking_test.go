package hubserver

import (
	"fmt"
	"testing"
	"time"
)

// One network of IPv6, which a customer has for themselves, has no more places on the list of those
// who ask than one address of IPv4.
func TestOneNetworkAsks(t *testing.T) {
	var a asking
	now := time.Now()
	for i := range 100 {
		a.add(fmt.Sprint("six", i), "x", fmt.Sprintf("2001:db8:0:1::%x", i), now)
		a.add(fmt.Sprint("four", i), "x", "192.0.2.1", now)
		a.add(fmt.Sprint("mapped", i), "x", "::ffff:192.0.2.1", now)
	}
	a.add("other", "x", "2001:db8:0:2::1", now)
	a.add("near", "x", "192.0.2.2", now)
	count := map[string]int{}
	for _, k := range a.list {
		count[network(k.Address)]++
	}
	if len(count) != 4 || count["2001:db8:0:1::/64"] != maxByAddress || count["192.0.2.1"] != maxByAddress {
		t.Errorf("%v", count)
	}
}
