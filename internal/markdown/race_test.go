//go:build race

package markdown_test

// Under the race detector, a sync.Pool drops a quarter of what it is given, at random. Package
// regexp keeps the states of its searches in pools: 97 % of the 16 GiB that TestHTMLIsBounded
// allocates there are such states that had to be made once more, by a profile; without them it
// allocates the same.
const maxAllocated = 8 << 30
