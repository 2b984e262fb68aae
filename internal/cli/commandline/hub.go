package commandline

import "fmt"

// A Hub has the flags of wsh-hub, which "wsh hub" takes and passes on.
type Hub struct {
	Listen  string `placeholder:"HOST:PORT" default:"127.0.0.1:4222" help:"Where to listen (default: ${default}). Other addresses than 127.0.0.1, localhost and [::1] need a certificate."`
	TLSCert string `name:"tls-cert" type:"path" placeholder:"FILE" help:"The certificate for TLS, with its chain, in PEM."`
	TLSKey  string `name:"tls-key" type:"path" placeholder:"FILE" help:"The key of the certificate, in PEM."`
	Max     int    `name:"max-connections" placeholder:"N" help:"Most connections, those of unknown hosts included (default: 10000)."`
}

// Args returns the flags as arguments.
func (h Hub) Args() []string {
	args := []string{"--listen=" + h.Listen, fmt.Sprint("--max-connections=", h.Max)}
	if h.TLSCert != "" {
		args = append(args, "--tls-cert="+h.TLSCert)
	}
	if h.TLSKey != "" {
		args = append(args, "--tls-key="+h.TLSKey)
	}
	return args
}
