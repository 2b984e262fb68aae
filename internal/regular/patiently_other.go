//go:build !windows

package regular

func isInUse(error, bool) bool { return false }
