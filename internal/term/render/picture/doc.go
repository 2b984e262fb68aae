// Package picture draws frames of sessions for people and models that look at them: as SVG, also in
// a page of HTML. Backgrounds, lines below text, cursors, box drawing, blocks and braille are drawn
// by code, so that they join exactly whatever the font; only the rest is text.
//
// The package does no I/O, starts no goroutine and reads no clock. It has no fonts: the viewer has
// them, such as the browser that turns an SVG into a PNG.
//
// A frame becomes a scene: cells with their looks, lines and shapes, in units of the grid, which
// [SVG] writes. Text that comes from programs is only ever the content of an element,
// and never markup, an address or a style, so nothing in a picture runs or loads.
package picture
