package machine

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// Load returns how many processes ran or were ready to run, on the average of the last minute, and
// false if that is not known.
func Load() (float64, bool) {
	// struct loadavg of sys/resource.h: three averages of 32 bits each, 4 bytes of padding, and how
	// much is one.
	b, err := unix.SysctlRaw("vm.loadavg")
	if err != nil || len(b) < 24 {
		return 0, false
	}
	one := binary.LittleEndian.Uint64(b[16:])
	if one == 0 {
		return 0, false
	}
	return float64(binary.LittleEndian.Uint32(b)) / float64(one), true
}
