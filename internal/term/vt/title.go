package vt

// maxTitleStack is how many titles a program can push; then the oldest is dropped.
const maxTitleStack = 10

// titles holds the window's title, the icon's name, and the stack of pushed ones.
type titles struct {
	window, icon string
	stack        []titlePair
}

type titlePair struct{ window, icon string }

// setWindowTitle is OSC 2.
func (t *Terminal) setWindowTitle(s string) {
	s = printable(s, maxTitle)
	if s != t.titles.window {
		t.titles.window = s
		t.emit(Title{Text: s})
	}
}

// setIconName is OSC 1.
func (t *Terminal) setIconName(s string) { t.titles.icon = printable(s, maxTitle) }

// pushTitle is XTWINOPS 22. It always pushes both.
func (t *Terminal) pushTitle() {
	s := &t.titles.stack
	if len(*s) == maxTitleStack {
		*s = append((*s)[:0], (*s)[1:]...)
	}
	*s = append(*s, titlePair{t.titles.window, t.titles.icon})
}

// popTitle is XTWINOPS 23. Parameter 1 restores only the icon's name, and 2 only the title.
func (t *Terminal) popTitle() {
	n := len(t.titles.stack)
	if n == 0 {
		return
	}
	saved := t.titles.stack[n-1]
	t.titles.stack = t.titles.stack[:n-1]
	which := t.param(1, 0)
	if which != 1 {
		t.setWindowTitle(saved.window)
	}
	if which != 2 {
		t.setIconName(saved.icon)
	}
}
