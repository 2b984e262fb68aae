//go:build race

package markdown_test

// The race detector makes pools forget what they hold, so that much more is allocated.
const maxAllocated = 8 << 30
