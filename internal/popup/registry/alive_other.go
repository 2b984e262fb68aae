//go:build !unix

package registry

import "os"

// alive reports whether there is a process of that number: on Windows, finding one opens it.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	return p.Release() == nil
}
