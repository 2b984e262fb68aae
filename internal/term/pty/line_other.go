//go:build !linux && !darwin

package pty

// MaxLine is 0, which stands for no limit: consoles hand over keys.
const MaxLine = 0
