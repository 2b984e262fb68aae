package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"time"

	"ui-mcp/internal/fault"
)

// billOf returns a software bill of materials: a CycloneDX document, version 1.6.
func billOf(command, version string, parts []part, at time.Time) []byte {
	component := func(kind, ref, name, version, licence string) object {
		return object{"type": kind, "bom-ref": ref, "name": name, "version": version, "licenses": []object{{"expression": licence}}}
	}
	var components []object
	var all []string
	for _, p := range parts {
		c := component("library", p.url(), p.name, p.version, p.licence)
		c["purl"] = p.url()
		components, all = append(components, c), append(all, p.url())
	}
	bill := object{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "components": components, "dependencies": []object{{"ref": command, "dependsOn": all}},
		"metadata": object{"timestamp": at.Format(time.RFC3339), "component": component("application", command, command, version, "MIT")},
	}
	// A serial number that depends on the content alone: a UUID of version 8.
	id := sha256.Sum256(fault.Must(json.Marshal(bill)))
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	bill["serialNumber"] = fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:16])
	return indented(bill)
}

// An object is one of JSON.
type object = map[string]any

// known returns an object without the members that are empty.
func known(o object) object {
	maps.DeleteFunc(o, func(_ string, value any) bool { return reflect.ValueOf(value).IsZero() })
	return o
}

// indented writes JSON for people, with & and < as they are.
func indented(value any) []byte {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		panic(err) // what is written is made here
	}
	return text.Bytes()
}
