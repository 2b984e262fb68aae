package mcpterm

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ui-mcp/internal/transport/mcpserver"
)

// rootsTime is how long a client may take to say what its roots are.
const rootsTime = 2 * time.Second

// WorkingDir returns the directory of this process, which is the project's if a client of MCP has
// started it; "" if it is the root of the file system, where systems start programs.
func WorkingDir() string {
	dir, err := os.Getwd()
	if err != nil || isTop(dir) {
		return ""
	}
	return dir
}

// isTop reports whether a directory is the root of a file system, which is nobody's project.
func isTop(dir string) bool { return filepath.Dir(dir) == dir }

// startDir returns the directory for a new session: without one in the call, the project that the
// client works on. Another host has other directories.
func (f *Face) startDir(ctx context.Context, in createInput) string {
	if in.Cwd != "" || strings.Contains(in.Name, "/") || ctx.Value(chosenKey{}) != nil {
		return in.Cwd
	}
	if root := firstRoot(ctx); root != "" {
		return root
	}
	if f.Dir == nil {
		return ""
	}
	return f.Dir(mcpserver.Caller(ctx))
}

// firstRoot returns the first root of the calling client if it is a directory of this machine, or
// "".
func firstRoot(ctx context.Context) string {
	call := mcpserver.CallOf(ctx)
	if call == nil {
		return ""
	}
	p := call.Session.InitializeParams()
	//lint:ignore SA1019 clients of the handshake have roots, and nothing in their place
	if p == nil || p.Capabilities == nil || p.Capabilities.RootsV2 == nil || p.ProtocolVersion >= mcpserver.StatelessSince {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, rootsTime)
	defer cancel()
	//lint:ignore SA1019 as above
	res, err := call.Session.ListRoots(ctx, nil)
	if err != nil || len(res.Roots) == 0 {
		return ""
	}
	u, err := url.Parse(res.Roots[0].URI)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return ""
	}
	path := u.Path
	if drive := strings.TrimPrefix(path, "/"); filepath.VolumeName(drive) != "" { // file:///C:/project
		path = drive
	}
	path = filepath.FromSlash(path)
	if info, err := os.Stat(path); err != nil || !info.IsDir() || !filepath.IsAbs(path) || isTop(path) {
		return ""
	}
	return path
}
