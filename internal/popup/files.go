package popup

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
	"ui-mcp/internal/popup/question"
)

// keepFiles puts the files of a reply that the question takes where its asker finds them, and
// returns them with their paths.
func (b *Broker) keepFiles(q question.Question, r question.Reply) (kept []question.File, err error) {
	if len(r.Files) == 0 {
		return nil, nil
	}
	if _, err := q.Accept(r); err != nil {
		return nil, err
	}
	err = os.MkdirAll(b.opts.Files, 0o700)
	for _, f := range r.Files {
		f.Path = filepath.Join(b.opts.Files, strings.ToLower(rand.Text()[:8])+"-"+files.SafeName(f.Name))
		if err == nil {
			err = files.Write(f.Path, f.Data, 0o600)
		}
		f.Data = nil
		kept = append(kept, f)
	}
	if err != nil {
		dropFiles(kept)
		return nil, fault.Wrap(fault.Exhausted, err, "the files could not be kept")
	}
	return kept, nil
}

// dropFiles removes files that nobody gets.
func dropFiles(list []question.File) {
	for _, f := range list {
		if f.Path != "" {
			_ = os.Remove(f.Path)
		}
	}
}
