// Elements as texts, and where they come from.

/** A Place is the element of a template, and the instance of it. */
export interface Place {
  readonly instance: number;
  readonly at: number; // the element's number in its template, in the order of the document
  readonly tag: string; // of the element
}

/** placeOf returns the place of an element, or of the closest one around it that has one. */
export function placeOf(element: Element): Place | undefined {
  const known = element.closest("[data-ui-at]");
  const instance = known?.closest("[data-ui-in]");
  if (known == null || instance == null) return undefined;
  return { instance: Number(instance.getAttribute("data-ui-in")), at: Number(known.getAttribute("data-ui-at")), tag: known.localName };
}

/** quoted returns a text, cut, in quotation marks. */
export function quoted(text: string): string {
  const all = text.replace(/\s+/gu, " ").trim();
  return `“${all.length > 40 ? all.slice(0, 40) + "…" : all}”`;
}

/** describe returns an element as an author would name it. */
export function describe(element: Element): string {
  const root = element.getRootNode();
  if (root instanceof ShadowRoot) return describe(root.host);
  let text = element.localName;
  if (element.id !== "" && !/^ui-|\d/u.test(element.id)) text += "#" + element.id;
  for (const name of [...element.classList].slice(0, 3)) text += "." + name;
  const label = element.getAttribute("aria-label") ?? (element instanceof HTMLElement ? element.innerText : element.textContent) ?? "";
  return label.trim() === "" ? text : `${text} ${quoted(label)}`;
}
