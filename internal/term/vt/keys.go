package vt

import "fmt"

// KeyFlags are kitty's progressive enhancements: how the program wants keys reported.
type KeyFlags uint8

const (
	KeyDisambiguate   KeyFlags = 1 << iota // escape codes for ambiguous keys
	KeyEventTypes                          // report repetition and release
	KeyAlternates                          // report alternate keys
	KeyAllAsEscapes                        // report all keys as escape codes
	KeyAssociatedText                      // report associated text

	keyFlagsMask KeyFlags = 1<<5 - 1
)

// maxKeyStack is how many sets of flags a program can push; then the oldest is dropped.
const maxKeyStack = 16

// A keyStack is the keyboard state of one screen.
type keyStack struct {
	current KeyFlags
	pushed  []KeyFlags
}

func (k *keyStack) push(flags int) {
	if len(k.pushed) == maxKeyStack {
		k.pushed = append(k.pushed[:0], k.pushed[1:]...)
	}
	k.pushed = append(k.pushed, k.current)
	k.current = KeyFlags(flags) & keyFlagsMask
}

func (k *keyStack) pop(n int) {
	if n > len(k.pushed) {
		*k = keyStack{}
		return
	}
	at := len(k.pushed) - n
	k.current = k.pushed[at]
	k.pushed = k.pushed[:at]
}

// setKeyFlags is CSI = flags ; mode u.
func (t *Terminal) setKeyFlags() {
	flags := KeyFlags(t.param(0, 0)) & keyFlagsMask
	switch t.param(1, 1) {
	case 1:
		t.scr.keys.current = flags
	case 2:
		t.scr.keys.current |= flags
	case 3:
		t.scr.keys.current &^= flags
	}
}

func (t *Terminal) reportKeyFlags() {
	t.reply(fmt.Sprintf("\x1b[?%du", t.scr.keys.current))
}

// setModifyKeys is XTMODKEYS, of which modifyOtherKeys (4) is supported.
func (t *Terminal) setModifyKeys() {
	switch {
	case t.nparams == 0:
		t.modify = 0
	case t.params[0] == 4:
		t.modify = min(t.param(1, 0), 2)
	}
}

// reportModifyKeys is XTQMODKEYS.
func (t *Terminal) reportModifyKeys() {
	if t.param(0, 0) == 4 {
		t.reply(fmt.Sprintf("\x1b[>4;%dm", t.modify))
	}
}
