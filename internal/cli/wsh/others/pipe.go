package others

import (
	"context"
	"io"
	"log/slog"

	"ui-mcp/internal/cli/wsh/caller"
)

// A pipeCommand is "wsh servers pipe", which a server on another host starts over ssh. It connects
// standard input and output to this user's server, and starts that if none runs, unless it was
// stopped on purpose: other servers connect again and again by themselves.
type pipeCommand struct {
	Start bool `help:"Start a server, too, if the last one was stopped with \"wsh stop\"."`
}

// Run ends with the input, or when the server has closed the connection.
func (c pipeCommand) Run(ctx context.Context, e caller.Env) error {
	log := slog.New(slog.NewTextHandler(e.Err, &slog.HandlerOptions{Level: slog.LevelError}))
	f := e.Where.Finder(e, "wsh servers pipe", caller.FleetPath, caller.FleetProtocol, log)
	f.Respects = !c.Start
	conn, err := f.Connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	if err := e.Printf("\n"); err != nil { // what the login has printed may lack the end of its line
		return err
	}
	ended := make(chan error, 2) // one copy may outlive the other, and with that the command
	pass := func(to io.Writer, from io.Reader) {
		_, err := io.Copy(to, from)
		ended <- err
	}
	go pass(conn, e.In)
	go pass(e.Out, conn)
	<-ended // the other host knows why, or has left
	return nil
}
