// What an instance inherits from the element that it replaces: its id, classes, styles, and the
// attributes that the instance does not set itself.

import { amend } from "./attributes";
import { isMade } from "./ids";

/** Inherited is what an instance inherits from its placeholder. */
export interface Inherited {
  readonly id: string | null;
  readonly classes: readonly string[];
  readonly style: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
}

/** inheritedFrom reads a placeholder; null when there is nothing to inherit. */
export function inheritedFrom(placeholder: Element): Inherited | null {
  let id: string | null = null;
  let style = "";
  const attributes: [string, string][] = [];
  for (const { name, value } of placeholder.attributes) {
    if (name === "id") id = value;
    else if (name === "style") style = value;
    else if (name !== "class" && name !== "data-ui" && !name.startsWith("ui-")) attributes.push([name, value]);
  }
  const classes = [...placeholder.classList];
  if (id === null && style === "" && classes.length === 0 && attributes.length === 0) return null;
  return { id, classes, style, attributes };
}

/** hostOf returns the element that represents an instance: its first root other than script and style. */
export function hostOf(roots: readonly ChildNode[]): Element | undefined {
  return elements(roots).find((e) => e.localName !== "script" && e.localName !== "style");
}

export function applyInherited(inherited: Inherited, roots: readonly ChildNode[]): void {
  if (inherited.id !== null) {
    const first = elements(roots)[0];
    if (first !== undefined && !(isMade(inherited.id) && first.id !== "")) first.id = inherited.id;
  }
  const host = hostOf(roots);
  if (host === undefined) return;
  if (inherited.classes.length > 0) host.classList.add(...inherited.classes);
  if (inherited.style !== "") {
    const own = host.getAttribute("style");
    host.setAttribute("style", own === null ? inherited.style : `${own}; ${inherited.style}`);
  }
  for (const [name, value] of inherited.attributes) {
    if (!host.hasAttribute(name)) host.setAttribute(name, value);
  }
}

/** reinherit applies what an instance inherits in place of what it inherited before. */
export function reinherit(before: Inherited | null, next: Inherited | null, roots: readonly ChildNode[]): void {
  if (JSON.stringify(before) === JSON.stringify(next)) return;
  const host = hostOf(roots);
  if (host !== undefined && before !== null) {
    amend(host, [["class", before.classes.join(" "), null], ["style", before.style, null]]);
    for (const [name, value] of before.attributes) if (host.getAttribute(name) === value) host.removeAttribute(name);
  }
  const first = elements(roots)[0];
  if (first !== undefined && before !== null && first.id === before.id) first.removeAttribute("id");
  if (next !== null) applyInherited(next, roots);
}

function elements(roots: readonly ChildNode[]): Element[] {
  return roots.filter((n): n is Element => n instanceof Element);
}
