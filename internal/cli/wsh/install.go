package wsh

import (
	"context"
	"errors"

	uimcp "ui-mcp"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/install"
	"ui-mcp/skills"
)

type installCommand struct {
	Dir   string `default:"." complete:"directories" placeholder:"DIR" help:"The project; your home directory stands for all projects (default: the current one)."`
	Force bool   `help:"Install over any version, and replace files that you have changed; they are kept as NAME.orig."`
	JSON  bool   `name:"json" help:"Print the report as JSON."`
}

// Run installs the skills and prints a report.
func (c installCommand) Run(_ context.Context, e caller.Env) error {
	version, err := install.Version(uimcp.Readme)
	if err != nil {
		return err
	}
	o := install.SkillOptions{Project: c.Dir, Product: "wsh", Version: version, Force: c.Force}
	for _, d := range skills.Wsh() {
		o.Skills = append(o.Skills, install.Skill{Name: d.Name, Text: d.Text})
	}
	r, err := install.Skills(o)
	// The report comes even after a failure: it says what was done before.
	return errors.Join(err, r.Print(e.Out, c.JSON))
}
