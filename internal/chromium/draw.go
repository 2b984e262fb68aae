package chromium

import (
	"context"
	"time"

	"ui-mcp/internal/fault"
)

// Offline is a flag for browsers whose pages need no other host: they reach none.
const Offline = "host-resolver-rules=MAP * ~NOTFOUND"

const drawWithin = 20 * time.Second

// Draw returns a picture of an SVG document as PNG, in pixels. The document runs no script. If no
// browser can be started, the error is of kind Precondition.
func (b *Browser) Draw(ctx context.Context, svg []byte, width, height int) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, drawWithin, fault.New(fault.Timeout, "the browser has not drawn the picture within %v", drawWithin))
	defer cancel()
	page, err := b.Page(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer page.Close()
	var tree struct {
		FrameTree struct {
			Frame struct {
				ID string `json:"id"`
			} `json:"frame"`
		} `json:"frameTree"`
	}
	if err := page.Call(ctx, "Page.getFrameTree", nil, &tree); err != nil {
		return nil, err
	}
	// The corners, which are round, would be white.
	const start = `<!DOCTYPE html><style>body{margin:0}svg{display:block}svg>rect{rx:0}</style>`
	var shot struct {
		Data []byte `json:"data"`
	}
	for _, c := range []struct {
		method string
		params map[string]any
		result any
	}{
		{"Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil},
		{"Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil},
		{"Page.setDocumentContent", map[string]any{"frameId": tree.FrameTree.Frame.ID, "html": start + string(svg)}, nil},
		{"Page.captureScreenshot", map[string]any{"format": "png", "optimizeForSpeed": true}, &shot},
	} {
		if err := page.Call(ctx, c.method, c.params, c.result); err != nil {
			return nil, err
		}
	}
	return shot.Data, nil
}
