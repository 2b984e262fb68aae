package remote

// Under returns how many streams of a host are under way.
func (l *Link) Under(host string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if g := l.guests[host]; g != nil {
		return len(g.streams)
	}
	return 0
}

// Free reports whether nothing is being decided about what hosts may do.
func (l *Link) Free() bool {
	free := l.mu.TryLock()
	if free {
		l.mu.Unlock()
	}
	return free
}

// Decode reads an answer of an operation.
var Decode = decode
