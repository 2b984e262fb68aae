package remote

import "strconv"

// runLength is the length of the part of a stream's number that names the link.
const runLength = 8

// number returns the number of the nth stream of a run.
func number(run string, n uint64) string { return run + strconv.FormatUint(n, 36) }

// parseNumber reads what number has returned.
func parseNumber(s string) (run string, n uint64, ok bool) {
	if len(s) <= runLength || len(s) > MaxNumber {
		return "", 0, false
	}
	n, err := strconv.ParseUint(s[runLength:], 36, 64)
	return s[:runLength], n, err == nil && n > 0
}

const (
	// maxSeen is how far the number of a stream may be behind the highest one, for it to be opened.
	maxSeen = 1024
	// maxRuns is how many links of a host are remembered.
	maxRuns = 8
)

// A seen remembers which streams of a run were opened, so that each is opened once.
type seen struct {
	run     string
	highest uint64
	recent  [maxSeen / 64]uint64 // a bit for each of the last numbers
}

// add reports whether a number is new, and remembers it.
func (s *seen) add(n uint64) bool {
	if n+maxSeen <= s.highest {
		return false // too old to say
	}
	for ; s.highest < n; s.highest++ {
		if n-s.highest > maxSeen {
			s.highest = n - maxSeen // all that are remembered are forgotten below
		}
		next := (s.highest + 1) % maxSeen
		s.recent[next/64] &^= 1 << (next % 64)
	}
	at, bit := n%maxSeen/64, uint64(1)<<(n%64)
	fresh := s.recent[at]&bit == 0
	s.recent[at] |= bit
	return fresh
}
