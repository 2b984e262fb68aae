package machine

import "golang.org/x/sys/unix"

// Load returns how many processes ran or were ready to run, on the average of the last minute, and
// false if that is not known. A container gets the load of the whole machine.
func Load() (float64, bool) {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0, false
	}
	const one = 1 << 16 // SI_LOAD_SHIFT of the kernel's sysinfo.h
	return float64(info.Loads[0]) / one, true
}
