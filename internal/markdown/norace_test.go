//go:build !race

package markdown_test

// maxAllocated is how much one text may allocate, in bytes.
const maxAllocated = 400 << 20
