package terminals

import (
	"context"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/overlay"
)

// NewElement is the input of operations that create an overlay or panel.
type NewElement struct {
	Target
	overlay.Form
}

// ElementID is the input of operations on one overlay or panel.
type ElementID struct {
	Target
	ID string `json:"id" jsonschema:"id of the overlay or panel"`
}

// ElementChange is the input of operations that change an overlay or panel.
type ElementChange struct {
	ElementID
	overlay.Form
}

// ElementWrites is the input of operations that write onto an overlay or panel.
type ElementWrites struct {
	ElementID
	Writes overlay.Writes `json:"writes" jsonschema:"text at positions within the element, above its spans"`
}

// Batch is the input of [ApplyElements].
type Batch struct {
	Target
	Ops []overlay.Op `json:"ops" jsonschema:"operations on overlays and panels, in order" max:"1024"`
}

// NewID is the answer of operations that create an overlay or panel.
type NewID struct {
	ID string `json:"id"`
}

// IDs is the answer of [ApplyElements].
type IDs struct {
	IDs []string `json:"ids" jsonschema:"for each operation the id of its element, or an empty string"`
}

// ElementOps are the operations on one kind of elements.
type ElementOps struct {
	Create      *Op[NewElement, NewID]
	List        *Op[Target, []overlay.Element]
	Get         *Op[ElementID, overlay.Element]
	Update      *Op[ElementChange, None]
	Replace     *Op[ElementChange, None]
	UpdateSpans *Op[ElementChange, None]
	Write       *Op[ElementWrites, None]
	Remove      *Op[ElementID, None]
	Clear       *Op[Target, None]
}

// Operations on overlays and panels.
var (
	Overlays = elementOps(overlay.Overlay)
	Panels   = elementOps(overlay.Panel)

	ApplyElements = onSession(Operation{
		Name: "elements.apply", Aliases: []Alias{{Name: "apply_elements"}, {Name: "batch_update", Adapt: batchUpdate, Doc: "`spans` and `writes` of the one element `id` of the `type`"}}, Kind: Change, Right: Draw, Doc: "Carries out operations on overlays and panels in order, all or none.",
		Fails: []Failure{invalid, tooLong, gone, exhausted, unknownOverlay, unknownPanel},
	}, func(ctx context.Context, s *term.Session, in Batch) (IDs, error) {
		ids, err := applyElements(ctx, s, in.Ops...)
		return IDs{ids}, err
	})
)

var (
	unknownOverlay = Failure{fault.NotFound, overlay.UnknownOverlay, "there is no such overlay"}
	unknownPanel   = Failure{fault.NotFound, overlay.UnknownPanel, "there is no such panel"}
	tooLong        = Failure{fault.Invalid, overlay.TooLong, "one element would have too many spans or writes, or too much text"}
)

func elementOps(k overlay.Kind) ElementOps {
	name, article, unknown := string(k), "a ", unknownPanel
	if k == overlay.Overlay {
		article, unknown = "an ", unknownOverlay
	}
	describe := func(verb, alias string, kind Kind, r Right, doc string, fails ...Failure) Operation {
		return Operation{Name: name + "." + verb, Aliases: also(alias), Kind: kind, Right: r, Doc: doc, Fails: fails}
	}
	apply := func(ctx context.Context, s *term.Session, op overlay.Op) (None, error) {
		op.Kind = k
		_, err := applyElements(ctx, s, op)
		return None{}, err
	}
	change := func(verb overlay.Verb) func(context.Context, *term.Session, ElementChange) (None, error) {
		return func(ctx context.Context, s *term.Session, in ElementChange) (None, error) {
			return apply(ctx, s, overlay.Op{Verb: verb, ID: in.ID, Form: in.Form})
		}
	}
	ops := ElementOps{
		Create: onSession(describe("create", "create_"+name, Change, Draw, "Creates "+article+name+" and returns its id.", invalid, tooLong, gone, exhausted),
			func(ctx context.Context, s *term.Session, in NewElement) (NewID, error) {
				ids, err := applyElements(ctx, s, overlay.Op{Verb: overlay.Create, Kind: k, Form: in.Form})
				if err != nil {
					return NewID{}, err
				}
				return NewID{ids[0]}, nil
			}),
		List: onSession(describe("list", "list_"+name+"s", Query, Read, "Lists the "+name+"s of the screen that is displayed."),
			func(ctx context.Context, s *term.Session, _ Target) ([]overlay.Element, error) {
				list, err := term.ReadElements(ctx, s, func(m *overlay.Model) ([]overlay.Element, error) { return m.List(k), nil })
				if list == nil {
					list = []overlay.Element{}
				}
				return list, err
			}),
		Get: onSession(describe("get", "get_"+name, Query, Read, "Returns one "+name+" of either screen.", unknown),
			func(ctx context.Context, s *term.Session, in ElementID) (overlay.Element, error) {
				return term.ReadElements(ctx, s, func(m *overlay.Model) (overlay.Element, error) { return m.Get(k, in.ID) })
			}),
		Update: onSession(describe("update", "patch_"+name, Change, Draw, "Changes the given properties of one "+name+".", invalid, tooLong, gone, exhausted, unknown),
			change(overlay.Update)),
		Replace: onSession(describe("replace", "update_"+name, Change, Draw, "Replaces the content of one "+name+".", invalid, tooLong, gone, exhausted, unknown),
			change(overlay.Replace)),
		UpdateSpans: onSession(describe("spans", "update_"+name+"_spans", Change, Draw, "Replaces the spans that have the ids of the given ones. Ids that no span has are ignored.", invalid, tooLong, gone, exhausted, unknown),
			change(overlay.Rewrite)),
		Write: onSession(describe("write", name+"_region_write", Change, Draw, "Replaces all text that was written at positions within one "+name+".", invalid, tooLong, gone, exhausted, unknown),
			func(ctx context.Context, s *term.Session, in ElementWrites) (None, error) {
				return apply(ctx, s, overlay.Op{Verb: overlay.Write, ID: in.ID, Writes: in.Writes})
			}),
		Remove: onSession(describe("remove", "delete_"+name, Change, Draw, "Removes one "+name+".", gone, unknown),
			func(ctx context.Context, s *term.Session, in ElementID) (None, error) {
				return apply(ctx, s, overlay.Op{Verb: overlay.Remove, ID: in.ID})
			}),
		Clear: onSession(describe("clear", "clear_"+name+"s", Change, Draw, "Removes all "+name+"s, of both screens.", gone),
			func(ctx context.Context, s *term.Session, _ Target) (None, error) {
				return apply(ctx, s, overlay.Op{Verb: overlay.Clear})
			}),
	}
	needsSpans := []string{"spans"}
	ops.UpdateSpans.Aliases[0].Needs = needsSpans
	if k == overlay.Overlay {
		ops.Create.Aliases[0].Needs = needsSpans
	}
	return ops
}

func (e ElementOps) all() []*Operation {
	return ops(e.Create, e.List, e.Get, e.Update, e.Replace, e.UpdateSpans, e.Write, e.Remove, e.Clear)
}

// applyElements carries out all operations, or none: see [overlay.Model.Apply].
func applyElements(ctx context.Context, s *term.Session, ops ...overlay.Op) (ids []string, err error) {
	err = s.ChangeElements(ctx, func(m *overlay.Model) (err error) {
		ids, err = m.Apply(ops...)
		return err
	})
	return ids, err
}
