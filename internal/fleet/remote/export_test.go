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
