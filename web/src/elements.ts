// Helpers that create elements, icons and styles. Texts are set as text and never parsed, so
// nothing that a program or another person has written becomes markup.

/** A Child is an element or a text; undefined adds nothing. */
export type Child = Node | string | undefined;

/** Attributes are attributes by name; false and undefined leave one out, true sets it empty. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** make returns a new element. Instead of attributes, it takes a class, which may be "". */
export function make<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: string | Attributes = {}, ...children: readonly Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(typeof attributes === "string" ? { class: attributes || undefined } : attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== undefined && child !== ""));
  return element;
}

/** button returns a button. title says more than its text, or is its name if it has none. */
export function button(className: string, text: string, press: () => void, title = ""): HTMLButtonElement {
  const element = make("button", className, text);
  element.type = "button";
  if (title !== "") element.title = title;
  if (title !== "" && text === "") element.setAttribute("aria-label", title);
  element.addEventListener("click", press);
  return element;
}

/** icon returns an icon, drawn by a path in a square of 24 units. */
export function icon(path: string): string {
  return `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${path}"/></svg>`;
}

/** setText sets an element's text, and touches it only if that differs. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * arrange makes elements the first children of a parent, in their order. It touches only those that
 * are not in their places, so that a click in progress is not lost, and they keep the focus.
 */
export function arrange(parent: Element, elements: Iterable<Element>): void {
  let before = parent.firstElementChild;
  for (const element of elements) {
    if (element === before) {
      before = before.nextElementSibling;
      continue;
    }
    const focused = document.activeElement instanceof HTMLElement && element.contains(document.activeElement) ? document.activeElement : undefined;
    parent.insertBefore(element, before);
    focused?.focus({ preventScroll: true });
  }
}

/**
 * keep makes the rows of items the first children of a parent, in their order. Rows that are there
 * stay, by their keys; others are made, or removed.
 */
export function keep<K, T, R extends { readonly element: Element }>(parent: Element, rows: Map<K, R>, items: readonly T[], key: (item: T) => K, make: (item: T) => R, fill: (row: R, item: T) => void): void {
  const present = new Set(items.map(key));
  for (const [gone, { element }] of rows) {
    if (present.has(gone)) continue;
    element.remove();
    rows.delete(gone);
  }
  arrange(parent, items.map((item) => {
    const row = rows.get(key(item)) ?? make(item);
    rows.set(key(item), row);
    fill(row, item);
    return row.element;
  }));
}

const styled = new WeakMap<Node, Set<string>>();

/** adopt gives the document or shadow root of a node a style sheet, once. */
export function adopt(node: Node, css: string): void {
  const root = node.getRootNode();
  if (!(root instanceof Document || root instanceof ShadowRoot)) return;
  const has = styled.get(root) ?? new Set();
  styled.set(root, has);
  if (has.has(css)) return;
  has.add(css);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets.push(sheet);
}

/** copyTo copies a text, and says on the button whether that worked. */
export async function copyTo(button: HTMLElement, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "The browser refused";
  }
}
