//go:build !linux && !darwin

package machine

// Load returns false: this system has no such number.
func Load() (float64, bool) { return 0, false }
