package termask

import (
	"slices"
	"strings"

	"ui-mcp/internal/fault"
)

// A Rule says about which prompts the person is asked.
type Rule string

const (
	Off     Rule = "off"
	Secrets Rule = "secrets"
	All     Rule = "all" // prompts for lines, too
)

var rules = []string{string(Off), string(Secrets), string(All)}

// Choices lists the rules, for completion in shells.
func (Rule) Choices() []string { return slices.Clone(rules) }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (r *Rule) UnmarshalText(text []byte) error {
	if !slices.Contains(rules, string(text)) {
		return fault.New(fault.Invalid, "there is no rule %.40q: it is %s", text, strings.Join(rules, ", "))
	}
	*r = Rule(text)
	return nil
}
