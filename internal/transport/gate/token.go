package gate

import (
	"log/slog"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/secret"
)

const (
	// TokenVariable is the environment variable with the owner's token. It must not reach sessions.
	TokenVariable = "WSH_TOKEN"

	minToken = 16   // bytes
	maxToken = 1024 // bytes
)

// A TokenSource says where the owner's token comes from. At most one of Token and File is given.
type TokenSource struct {
	Token string // of the command line, which others can read in the list of processes
	File  string // a file with the token, which only its owner may read
	Env   string // the value of TokenVariable
	// Make is the file in which a new token is kept if there is no other and Exposed is set. It
	// belongs in a folder that only its owner can enter.
	Make    string
	Exposed bool
	Log     *slog.Logger
}

// Load returns the owner's token, or "" if the server has none and needs none, and the file that
// contains it, if there is one. A token on the command line overrides the environment. The error is
// of kind [fault.Invalid] or [fault.Precondition].
func (s TokenSource) Load() (token, file string, err error) {
	switch {
	case s.Token != "" && s.File != "":
		return "", "", fault.New(fault.Invalid, "give either --token or --token-file")
	case s.Token != "":
		s.Log.Warn("other users can read the token in the list of processes: --token-file keeps it secret")
		return s.Token, "", fault.Wrap(fault.Invalid, CheckToken(s.Token), "%s", "--token")
	case s.File != "":
		token, err = secret.Read(s.File)
		token, err = checked(token, err, s.File)
		return token, s.File, err
	case s.Env != "":
		return s.Env, "", fault.Wrap(fault.Invalid, CheckToken(s.Env), "%s", TokenVariable)
	case !s.Exposed:
		return "", "", nil
	}
	token, err = secret.ReadOrMake(s.Make, secret.NewLong)
	token, err = checked(token, err, s.Make)
	return token, s.Make, err
}

// CheckToken returns an error if a token is too short to be secret, or cannot be sent in a header.
func CheckToken(token string) error {
	if len(token) < minToken || len(token) > maxToken {
		return fault.New(fault.Invalid, "a token must have %d to %d bytes", minToken, maxToken)
	}
	if strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return fault.New(fault.Invalid, "a token may have visible ASCII characters only, and no spaces")
	}
	return nil
}

// checked returns the token that was read from a file.
func checked(token string, err error, name string) (string, error) {
	if err != nil {
		return "", fault.Wrap(fault.Precondition, err, "read the token")
	}
	return token, fault.Wrap(fault.Invalid, CheckToken(token), "%s", name)
}
