//go:build linux || darwin

package peer

import (
	"slices"
	"strconv"
)

// of compares the user of a socket with the user of this process.
func of(uid, self uint32, also []string) Standing {
	if uid == self || uid == 0 || slices.Contains(also, strconv.FormatUint(uint64(uid), 10)) {
		return Own
	}
	return Foreign
}
