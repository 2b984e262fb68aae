// Package machine says how busy this machine is.
package machine

import "runtime"

// CPUs returns how many processors this process may use.
func CPUs() int { return runtime.GOMAXPROCS(0) }
