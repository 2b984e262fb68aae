package regular

import (
	"errors"

	"golang.org/x/sys/windows"
)

func isInUse(err error, replaces bool) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || replaces && errors.Is(err, windows.ERROR_ACCESS_DENIED)
}
