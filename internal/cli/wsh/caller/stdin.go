package caller

import (
	"context"
	"io"
)

// ReadUntil returns a reader of in that fails once ctx is done, even while in has nothing to read.
// The caller closes it. Its last read of in may go on until the process ends.
func ReadUntil(ctx context.Context, in io.Reader) io.ReadCloser {
	r, w := io.Pipe()
	stop := context.AfterFunc(ctx, func() { _ = w.CloseWithError(context.Cause(ctx)) })
	go func() {
		defer stop()
		_, err := io.Copy(w, in)
		_ = w.CloseWithError(err)
	}()
	return r
}
