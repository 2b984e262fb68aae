//go:build !linux && !darwin

package files

import (
	"errors"
	"os"
)

const canHold = false

func exchange(*os.Root, string, string) error  { return errors.ErrUnsupported }
func renameNew(*os.Root, string, string) error { return errors.ErrUnsupported }
