// Package wshhub is the command line of wsh-hub: it runs a hub until it is stopped, and serves the
// commands about it, "wsh hub list" and others, on a socket.
package wshhub

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/ending"
	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/discovery"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/fleet/hubserver"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/httpserve"
)

const description = `A hub, through which servers of wsh on several machines reach each other.

"wsh hub" starts it with the same flags, and "wsh hub --help" says the rest.`

// Main runs the command line of the process and returns its exit status.
func Main(version string) int {
	files.KeepInherited()
	ctx, stop := ending.Context()
	defer stop()
	return Run(ctx, version, os.Args[1:], os.Environ(), commandline.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
}

// Run executes one command line and returns its exit status: 0 for success, also when ctx is done,
// 1 for a failure, 2 for a usage error.
func Run(ctx context.Context, ver string, args []string, vars environ.Variables, std commandline.Streams) int {
	var flags struct {
		commandline.Hub
		Print kong.VersionFlag `name:"version" help:"Print the version."`
	}
	p := commandline.Program{Name: "wsh-hub", Version: version.Line("wsh-hub", ver), Description: description, Globals: &flags, Commands: &struct{}{}, Environ: vars, Out: std.Out, Err: std.Err}
	chosen, status, err := p.Parse(args)
	switch {
	case err != nil:
		fmt.Fprintf(std.Err, "wsh-hub: %v (\"wsh-hub --help\" tells more)\n", err)
		return commandline.ExitUsage
	case chosen == nil:
		return status
	}
	if err := serve(ctx, flags.Hub, vars, std); err != nil {
		return commandline.Fail("wsh-hub", std.Err, err)
	}
	return commandline.ExitOK
}

// closeTime bounds how long the end waits for commands.
const closeTime = 5 * time.Second

// maxBody is the length of the longest request to a hub, in bytes.
const maxBody = 4096

func serve(ctx context.Context, c commandline.Hub, vars environ.Variables, std commandline.Streams) (err error) {
	log := commandline.Logger(std.Err, slog.LevelInfo)
	var encryption *tls.Config
	proof := ""
	switch {
	case (c.TLSCert == "") != (c.TLSKey == ""):
		return fault.New(fault.Invalid, "--tls-cert and --tls-key belong together")
	case c.TLSCert != "":
		certificate, err := httpserve.LoadCertificate(c.TLSCert, c.TLSKey, log)
		if err != nil {
			return fault.Wrap(fault.Invalid, err, "--tls-cert and --tls-key")
		}
		encryption = certificate.Config()
		proof = "Its key, to which they hold it, is " + hub.KeyOf(certificate.Latest().Leaf) + ".\n"
	}
	members, err := hub.File(vars)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(members), 0o700); err != nil {
		return fault.Wrap(fault.Precondition, err, "make the folder of the hub's hosts")
	}
	lock, err := files.TryLock(members+".lock", 0o600)
	if err != nil {
		return fault.Wrap(fault.Precondition, err, "lock the hub's hosts")
	}
	if lock == nil {
		return fault.New(fault.Exists, "a hub of this user is running already: \"wsh hub list\" says where")
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	list, err := keys.OpenList(members)
	if err != nil {
		return err
	}
	path, err := hub.Socket(vars)
	if err != nil {
		return err
	}
	registry, err := discovery.Open(vars, log)
	if err != nil {
		return err
	}
	claim, err := registry.Claim("wsh-hub", path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, claim.Release()) }()
	socket, err := claim.Listen()
	if err != nil {
		return err
	}
	h, err := hubserver.Start(hubserver.Options{Listen: c.Listen, TLS: encryption, List: list, Log: log, MaxConnections: c.Max})
	if err != nil {
		return errors.Join(err, socket.Close())
	}
	defer h.Close()
	served := httpserve.Serve(socket, handler(h), httpserve.Options{Log: log})
	scheme := "nats"
	if encryption != nil {
		scheme = "tls"
	}
	if _, err = fmt.Fprintf(std.Out, "Hosts reach this hub at %s://%s\n%s\"wsh hub list\" lists those that ask to be accepted. Press Ctrl-C to stop.\n", scheme, h.Address(), proof); err == nil {
		<-ctx.Done()
	}
	closing, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	return errors.Join(err, served.Close(closing))
}

// handler serves the commands about a hub.
func handler(h *hubserver.Hub) http.Handler {
	answer := func(w http.ResponseWriter, err error) {
		if err != nil {
			httpio.WriteError(w, httpio.Status(err), err.Error())
			return
		}
		httpio.WriteJSON(w, http.StatusOK, struct{}{})
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) { httpio.WriteJSON(w, http.StatusOK, h.Status()) })
	mux.HandleFunc("DELETE /members/{key}", func(w http.ResponseWriter, r *http.Request) { answer(w, h.Withdraw(r.PathValue("key"))) })
	mux.HandleFunc("PUT /members/{key}", func(w http.ResponseWriter, r *http.Request) {
		body, failure := httpio.ReadJSON(w, r, maxBody)
		if failure != nil {
			httpio.WriteError(w, failure.Status, failure.Text)
			return
		}
		var entry keys.Entry
		if err := json.Unmarshal(body, &entry); err != nil {
			answer(w, fault.Wrap(fault.Invalid, err, "the entry"))
			return
		}
		entry.Key, entry.Since = r.PathValue("key"), time.Now().UTC().Truncate(time.Second)
		answer(w, h.Accept(entry))
	})
	return mux
}
