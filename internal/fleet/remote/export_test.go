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

// Kept returns how many bytes are kept for a host, and for all hosts.
func (l *Link) Kept(host string) (one, all int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if g := l.guests[host]; g != nil {
		one = g.account.kept.Load()
	}
	return one, l.account.kept.Load()
}

// Keep sets how many bytes are kept for a host from now on.
func (l *Link) Keep(most int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.most = most
}

// The limits of hosts.
const (
	MaxGuestStreams = maxGuestStreams
	MaxGuests       = maxGuests
)

// Guests returns how many hosts are remembered.
func (l *Link) Guests() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.guests)
}
