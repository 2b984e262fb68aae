// The wsh-hub command is a hub, through which servers of wsh on several machines reach each other.
package main

import (
	"os"

	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/cli/wshhub"
)

// Version is set by the linker: -ldflags "-X main.Version=0.1.0".
var Version = version.None

func main() { os.Exit(wshhub.Main(version.Built(Version))) }
