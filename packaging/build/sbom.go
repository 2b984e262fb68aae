package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"
)

// A bill is a software bill of materials: a CycloneDX document, version 1.6.
type bill struct {
	Format   string `json:"bomFormat"`
	Spec     string `json:"specVersion"`
	Serial   string `json:"serialNumber"`
	Version  int    `json:"version"`
	Metadata struct {
		Timestamp string    `json:"timestamp"`
		Component component `json:"component"`
	} `json:"metadata"`
	Parts []component `json:"components"`
	Needs []needs     `json:"dependencies"`
}

type component struct {
	Type     string    `json:"type"`
	Ref      string    `json:"bom-ref"`
	Name     string    `json:"name"`
	Version  string    `json:"version"`
	URL      string    `json:"purl,omitempty"`
	Licences []licence `json:"licenses"`
}

type licence struct {
	Expression string `json:"expression"`
}

type needs struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn"`
}

func billOf(command, version string, parts []part, at time.Time) ([]byte, error) {
	b := bill{Format: "CycloneDX", Spec: "1.6", Version: 1}
	b.Metadata.Timestamp = at.Format(time.RFC3339)
	b.Metadata.Component = component{Type: "application", Ref: command, Name: command, Version: version, Licences: []licence{{"MIT"}}}
	var all []string
	for _, p := range parts {
		b.Parts = append(b.Parts, component{Type: "library", Ref: p.url(), Name: p.name, Version: p.version, URL: p.url(), Licences: []licence{{p.licence}}})
		all = append(all, p.url())
	}
	b.Needs = []needs{{command, all}}
	content, err := json.Marshal(b)
	if err != nil {
		return nil, err
	}
	// A serial number that depends on the content alone: a UUID of version 8.
	id := sha256.Sum256(content)
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	b.Serial = fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:16])
	return indented(b)
}

// indented writes JSON for people, with & and < as they are.
func indented(value any) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(value)
	return text.Bytes(), err
}
