// The wsh command serves terminal sessions to people, programs and AI agents.
package main

import (
	"os"

	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/cli/wsh"
)

// Version is set by the linker: -ldflags "-X main.Version=0.1.0".
var Version = version.None

func main() { os.Exit(wsh.Main(version.Built(Version))) }
