// What scrolls, within reach of the keyboard. Not every browser gives the focus to an element
// because it scrolls; without the focus, arrows do not scroll it.

const MANY = 20_000; // elements, beyond which only tables and code are looked at
const FOCUSABLE = "a[href], button, input, select, textarea, iframe, summary, [tabindex], [contenteditable]";
const HEADING = "h1, h2, h3, h4, h5, h6, legend";

const named = new WeakMap<Element, string>();
const counts = new Map<string, number>(); // of names, by what they begin with
const added = new WeakMap<Element, string[]>(); // attributes that reach has added

/**
 * reach gives what scrolls a place in the order of Tab and a name, as soon as the person presses
 * Tab. What scrolls no more loses them.
 */
export function reach(): void {
  document.addEventListener("keydown", ({ key }) => key === "Tab" && mark(), { capture: true });
}

function mark(): void {
  const many = document.body.getElementsByTagName("*").length > MANY;
  const list = many ? [...document.body.querySelectorAll("table, pre")] : within(document.body);
  const changes = list.filter((e) => added.has(e) !== needs(e)); // before anything changes, which would cost a layout each
  for (const e of changes) {
    const names = added.get(e);
    for (const name of names ?? []) e.removeAttribute(name);
    if (names === undefined) give(e);
    else added.delete(e);
  }
}

/** within returns the elements inside another one, those in components included. */
function within(root: ParentNode): Element[] {
  return [...root.querySelectorAll("*")].flatMap((e) => (e.shadowRoot === null ? [e] : [e, ...within(e.shadowRoot)]));
}

/**
 * needs reports whether an element scrolls and can have the focus neither itself nor in a part of
 * it. A link in a table does not lead to all of the table.
 */
function needs(e: Element): boolean {
  if (!overflows(e) || (!added.has(e) && e.matches(FOCUSABLE))) return false;
  if (!e.matches("table, pre") && e.querySelector(FOCUSABLE) !== null) return false;
  const { overflowX, overflowY, visibility } = getComputedStyle(e);
  const scrolls = (overflow: string): boolean => overflow === "auto" || overflow === "scroll";
  return visibility === "visible" && ((scrolls(overflowX) && wide(e)) || (scrolls(overflowY) && high(e)));
}

const wide = (e: Element): boolean => e.scrollWidth > e.clientWidth;
const high = (e: Element): boolean => e.scrollHeight > e.clientHeight + 1;
const overflows = (e: Element): boolean => e.clientWidth > 0 && (wide(e) || high(e));

function give(e: Element): void {
  const attributes = new Map([["tabindex", "0"]]);
  if (e.matches("div, pre, section")) attributes.set("role", "region"); // others keep what they are
  if (!e.matches("[aria-label], [aria-labelledby]")) attributes.set("aria-label", nameOf(e));
  const names = [...attributes.keys()].filter((name) => !e.hasAttribute(name));
  added.set(e, names);
  for (const name of names) e.setAttribute(name, attributes.get(name) ?? "");
}

/** nameOf returns a name that no other element has from here. */
function nameOf(e: Element): string {
  let name = named.get(e);
  if (name === undefined) {
    const title = titleOf(e);
    const count = (counts.get(title) ?? 0) + 1;
    counts.set(title, count);
    name = count === 1 ? title : `${title} (${count})`;
    named.set(e, name);
  }
  return name;
}

/** titleOf returns the caption of an element, the heading above it, or what it is. */
function titleOf(e: Element): string {
  const caption = e.querySelector("caption")?.textContent?.trim();
  if (caption) return caption;
  for (let inside: Element | null = e; inside !== null; inside = inside.parentElement) {
    for (let before = inside.previousElementSibling; before !== null; before = before.previousElementSibling) {
      const text = before.matches(HEADING) ? before.textContent?.trim() : undefined;
      if (text) return text;
    }
  }
  return e.matches("table") ? "Table" : "Text";
}
