package secret

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ui-mcp/internal/files"
	"ui-mcp/internal/regular"
)

// maxFile bounds a file with a secret, in bytes.
const maxFile = 4096

// Read returns the secret in a file that has nothing else, without the end of its line. Nobody but
// its owner, who is this user or root, may be able to read the file.
func Read(name string) (string, error) {
	f, err := regular.Open(name, os.O_RDONLY, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	name = filepath.Clean(name)
	info, err := f.Stat()
	if err == nil {
		err = regular.CheckPrivate(info)
	}
	if err != nil {
		return "", fmt.Errorf("%s cannot be trusted: %w", name, err)
	}
	content, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(content) > maxFile {
		err = fmt.Errorf("%s has more than %d bytes", name, maxFile)
	}
	return strings.TrimRight(string(content), "\r\n"), err
}

// ReadOrMake is Read for a file that is made with a new secret, such as [NewLong], if it does not
// exist. It belongs in a folder that only its owner can enter. Of two processes that make it at
// once, one may have another secret until it reads the file again.
func ReadOrMake(name string, fresh func() string) (string, error) {
	text, err := Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		text = fresh()
		if err = files.Write(name, []byte(text+"\n"), 0o600); err != nil {
			return "", fmt.Errorf("keep a new secret in %s: %w", name, err)
		}
	}
	return text, err
}
