package vt

import "testing"

// TestXtermReplies compares the replies to queries, except for device attributes and for modes that
// only one of the terminals has. It avoids errors of xterm's engine, which reports a column beyond
// the last one while a wrap is pending, absolute positions in origin mode, and the configured
// cursor style.
func TestXtermReplies(t *testing.T) {
	t.Parallel()
	x := newXterm(t)
	for _, question := range []string{
		"\x1b[5n", "ab\r\nc\x1b[6n", "\x1b[2;3r\x1b[2;3H\x1b[6n",
		"\x1b[4$p", "\x1b[4h\x1b[4$p", "\x1b[20$p", "\x1b[99$p",
		"\x1b[?1$p", "\x1b[?1h\x1b[?1$p", "\x1b[?6$p", "\x1b[?7$p", "\x1b[?7l\x1b[?7$p", "\x1b[?25$p", "\x1b[?25l\x1b[?25$p", "\x1b[?45$p",
		"\x1b[?66$p", "\x1b=\x1b[?66$p", "\x1b[?1000$p", "\x1b[?1002h\x1b[?1002$p\x1b[?1000$p", "\x1b[?1003h\x1b[?1000l\x1b[?1003$p", "\x1b[?1004$p", "\x1b[?1006h\x1b[?1006$p",
		"\x1b[?47$p", "\x1b[?1047h\x1b[?1047$p\x1b[?47$p\x1b[?1049$p", "\x1b[?1048$p", "\x1b[?2004h\x1b[?2004$p", "\x1b[?2026$p", "\x1b[?2026h\x1b[?2026$p", "\x1b[?9999$p",
		"\x1bP$qr\x1b\\", "\x1b[2;3r\x1bP$qr\x1b\\", "\x1bP$q\"q\x1b\\", "\x1b[1\"q\x1bP$q\"q\x1b\\", "\x1bP$qzz\x1b\\",
	} {
		p := play{Cols: 10, Rows: 4, Steps: []step{{Write: []byte(question), Show: true}}}
		theirs, ours := x.pictures(t, p)[0].Replies, pictures(t, p)[0].Replies
		if theirs != ours || ours == "" {
			t.Errorf("%q: xterm answers %q, vt %q", question, theirs, ours)
		}
	}
}
