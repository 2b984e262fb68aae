//go:build hub

package wsh

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/listen"
	"ui-mcp/internal/transport/gate"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/httpserve"
)

// maxHubBody is the length of the longest request to a hub, in bytes.
const maxHubBody = 4096

func (c startHubCommand) run(ctx context.Context, e env) (err error) {
	log := slog.New(slog.NewTextHandler(e.Err, nil))
	var encryption *tls.Config
	switch {
	case (c.TLSCert == "") != (c.TLSKey == ""):
		return fault.New(fault.Invalid, "--tls-cert and --tls-key belong together")
	case c.TLSCert != "":
		certificate, err := gate.LoadCertificate(c.TLSCert, c.TLSKey, log)
		if err != nil {
			return fault.Wrap(fault.Invalid, err, "--tls-cert and --tls-key")
		}
		encryption = certificate.Config()
	}
	members, err := hubMembers(e.vars)
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
	control, err := e.hubControl(log)
	if err != nil {
		return err
	}
	h, err := hub.Start(hub.Options{Listen: c.Listen, TLS: encryption, List: list, Log: log, MaxConnections: c.Max})
	if err != nil {
		return errors.Join(err, control.Close())
	}
	defer h.Close()
	served := httpserve.Serve(control, hubHandler(h), httpserve.Options{Log: log})
	scheme := "nats"
	if encryption != nil {
		scheme = "tls"
	}
	if err = e.printf("Hosts reach this hub at %s://%s\n\"wsh hub list\" lists those that ask to be accepted. Press Ctrl-C to stop.\n", scheme, h.Address()); err == nil {
		<-ctx.Done()
	}
	closing, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	return errors.Join(err, served.Close(closing))
}

// hubControl opens the socket by which commands reach the hub.
func (e env) hubControl(log *slog.Logger) (*listen.Socket, error) {
	socket, err := hubSocket(e.vars)
	if err != nil {
		return nil, err
	}
	if _, err := discovery.OpenIn(filepath.Dir(socket), log); err != nil { // makes a folder that only this user can enter
		return nil, err
	}
	return listen.Unix(socket)
}

// hubHandler serves the commands about a hub.
func hubHandler(h *hub.Hub) http.Handler {
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
		body, failure := httpio.ReadJSON(w, r, maxHubBody)
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
