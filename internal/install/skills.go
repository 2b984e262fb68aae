package install

import (
	"errors"
	"path"
	"path/filepath"

	"golang.org/x/mod/semver"

	"ui-mcp/internal/fault"
)

// A Skill is a document that teaches agents something. It is installed as
// .claude/skills/NAME/SKILL.md.
type Skill struct {
	Name string
	Text string
}

// SkillOptions says which skills to install, and where.
type SkillOptions struct {
	// Project is the directory that has, or will have, the folder .claude. It must exist.
	Project string
	// Product names the record of these skills, .claude/skills/.PRODUCT.json, so that several
	// products can install theirs.
	Product string
	// Version is the semantic version of the skills, without a leading v.
	Version string
	Skills  []Skill
	// Force installs whatever version is there, and replaces files that the user has changed. Those
	// are kept as NAME.orig.
	Force bool
}

// Skills installs skills into a project. It follows the rules of [Install]: without force it does
// nothing when the installed version is the given one or newer, and files that the user has changed
// are left alone.
func Skills(o SkillOptions) (Report, error) {
	report := Report{Installed: []string{}, Skipped: []string{}, Appended: []string{}}
	if !semver.IsValid("v" + o.Version) {
		return report, fault.New(fault.Internal, "%q is not a semantic version", o.Version)
	}
	project, err := filepath.Abs(o.Project)
	if err != nil {
		return report, fault.Wrap(fault.Precondition, err, "resolve %s", o.Project)
	}
	t, err := openTarget(project, ".")
	if err != nil {
		return report, err
	}
	in := &installation{targets: map[string]*target{projectFolder: t}, force: o.Force, report: &report}
	defer in.close()
	if err := in.openLinked(project); err != nil {
		return report, err
	}

	kept, name := in.target(file{folder: projectFolder, path: path.Join(skillsFolder, "."+o.Product+".json")})
	if in.record, err = loadRecord(kept, name, o.Force); err != nil {
		return report, err
	}
	installed := "v" + in.record.Version
	if !o.Force && semver.IsValid(installed) && semver.Compare(installed, "v"+o.Version) >= 0 {
		report.VersionSkipped = true
		report.BundledVersion, report.InstalledVersion = o.Version, in.record.Version
		return report, nil
	}
	var files []file
	for _, s := range o.Skills {
		files = append(files, file{projectFolder, path.Join(skillsFolder, s.Name, "SKILL.md"), []byte(s.Text), 0o644})
	}
	steps, err := in.plan(files)
	if err != nil {
		return report, err
	}
	for _, s := range steps {
		if err = in.take(s); err != nil {
			break
		}
	}
	if err == nil {
		in.record.Version = o.Version
	}
	// Also after a failure: the next attempt must not take what has been written for the user's
	// own.
	return report, errors.Join(err, in.record.save(kept, name))
}

const skillsFolder = claudeFolder + "/skills"
