package listen

import "net"

// isSilent takes every connection that was not read in time for a silent one.
func isSilent(net.Conn) bool { return true }
