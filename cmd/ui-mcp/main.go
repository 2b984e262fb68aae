// The ui-mcp command shows live UIs to people on behalf of AI agents.
package main

import (
	"os"

	"ui-mcp/internal/cli/uimcp"
	"ui-mcp/internal/cli/version"
)

// Version is set by the linker: -ldflags "-X main.Version=0.1.0".
var Version = version.None

func main() { os.Exit(uimcp.Main(version.Built(Version))) }
