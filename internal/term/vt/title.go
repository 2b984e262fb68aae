package vt

// maxTitles is how many titles a program can push; then the oldest is dropped.
const maxTitles = 10

// setTitle is OSC 2. The icon's name (OSC 1) is ignored.
func (t *Terminal) setTitle(s string) {
	if s = printable(s, maxTitle); s != t.title {
		t.title = s
		t.emit(Title{Text: s})
	}
}

// pushTitle is XTWINOPS 22.
func (t *Terminal) pushTitle() {
	if len(t.titles) == maxTitles {
		t.titles = append(t.titles[:0], t.titles[1:]...)
	}
	t.titles = append(t.titles, t.title)
}

// popTitle is XTWINOPS 23. Parameter 1 restores only the icon's name.
func (t *Terminal) popTitle() {
	if last := len(t.titles) - 1; last >= 0 {
		title := t.titles[last]
		t.titles = t.titles[:last]
		if t.param(1, 0) != 1 {
			t.setTitle(title)
		}
	}
}
