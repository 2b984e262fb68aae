package regular

import "time"

// Windows refuses to open a file while another process replaces or removes it, and to replace one
// that is being read. With small files, that takes milliseconds: they are tried again after each
// pause, for as long as patience.
const patience, pause = 2 * time.Second, 5 * time.Millisecond

// Patiently calls try, which opens or replaces a file, again while Windows refuses because another
// process uses the file, and returns the last error. With replaces, missing permission counts as
// that, too: Windows does not tell the two apart when a file is replaced. On other systems it calls
// try once.
func Patiently(replaces bool, try func() error) error {
	for late := time.Now().Add(patience); ; time.Sleep(pause) {
		if err := try(); !isInUse(err, replaces) || time.Now().After(late) {
			return err
		}
	}
}
