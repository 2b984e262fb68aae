package attach

import "net"

// writeNow writes nothing: see its other version.
func writeNow(net.Conn, []byte) int { return 0 }
