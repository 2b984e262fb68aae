package files

import (
	"errors"
	"io/fs"
	"os"

	"ui-mcp/internal/regular"
)

// AppendLine adds a line to a file, and makes the file, with a mode before the umask, if there is
// none. A file that would become longer than most bytes is renamed first, to previous, and another
// one begins: so two files are all that a log keeps. Goroutines that write to one file take turns.
func AppendLine(path string, line []byte, most int64, previous string, mode fs.FileMode) error {
	if info, err := os.Lstat(path); err == nil && info.Size() > 0 && info.Size()+int64(len(line)) > most {
		if err := os.Rename(path, previous); err != nil {
			return err
		}
	}
	file, err := regular.Open(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, mode)
	if err != nil {
		return err
	}
	_, err = file.Write(line)
	return errors.Join(err, file.Close())
}
