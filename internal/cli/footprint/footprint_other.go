//go:build !linux

package footprint

func drop() {}
