//go:build !linux

package files

import (
	"errors"
	"os"
)

func swap(*os.Root, string, string) error { return errors.ErrUnsupported }
