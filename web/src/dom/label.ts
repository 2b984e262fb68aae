// How the person knows a control.

const labels = new WeakMap<Element, string>(); // of controls, while they were in the document

/**
 * labelOf returns the text by which the person knows a control. It remembers the text: an element
 * that has been removed has no labels any more.
 */
export function labelOf(element: Element): string {
  const label = element.isConnected ? textFor(element) : (labels.get(element) ?? textFor(element));
  labels.set(element, label);
  return label;
}

/** textFor is what labels an element now. */
export function textFor(element: Element): string {
  const own = element.getAttribute("aria-label") ?? element.getAttribute("label");
  if (own !== null) return own;
  const all: unknown = Reflect.get(element, "labels");
  const label = all instanceof NodeList ? all[0]?.textContent?.trim() : undefined;
  return label || element.getAttribute("placeholder") || element.getAttribute("name") || "";
}
