// Style sheets of a document that scripts add.

/** removeSheet removes a sheet from a document that has adopted it. */
export function removeSheet(document: Document, sheet: CSSStyleSheet): void {
  const at = document.adoptedStyleSheets.indexOf(sheet);
  if (at >= 0) document.adoptedStyleSheets.splice(at, 1);
}
