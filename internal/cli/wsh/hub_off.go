//go:build !hub

package wsh

import (
	"context"

	"ui-mcp/internal/fault"
)

func (startHubCommand) run(context.Context, env) error {
	return fault.New(fault.Precondition, `this program was built without a hub, which would make it half as large again: build one with "go build -tags hub ./cmd/wsh", or run nats-server with the settings that "wsh hub config" prints`)
}
