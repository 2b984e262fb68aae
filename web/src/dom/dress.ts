// What an instance takes over from the element that it replaces: its id, its
// classes and styles, and the attributes that the instance has not itself.

/** Dress is what was read from a placeholder. */
export interface Dress {
  readonly id: string | null;
  readonly classes: readonly string[];
  readonly style: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
}

/** dressOf reads a placeholder; null when it has nothing to pass on. */
export function dressOf(placeholder: Element): Dress | null {
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

/** withoutID is for what is used more than once. */
export function withoutID(dress: Dress | null): Dress | null {
  return dress && { ...dress, id: null };
}

/** hostOf finds the element that stands for an instance: its first root that is neither script nor style. */
export function hostOf(roots: readonly ChildNode[]): Element | undefined {
  return elements(roots).find((e) => e.localName !== "script" && e.localName !== "style");
}

/** put gives the roots of an instance what its placeholder had. */
export function put(dress: Dress, roots: readonly ChildNode[]): void {
  if (dress.id !== null) {
    const first = elements(roots)[0];
    if (first !== undefined) first.id = dress.id;
  }
  const host = hostOf(roots);
  if (host === undefined) return;
  if (dress.classes.length > 0) host.classList.add(...dress.classes);
  if (dress.style !== "") {
    const own = host.getAttribute("style");
    host.setAttribute("style", own === null ? dress.style : `${own}; ${dress.style}`);
  }
  for (const [name, value] of dress.attributes) {
    if (!host.hasAttribute(name)) host.setAttribute(name, value);
  }
}

function elements(roots: readonly ChildNode[]): Element[] {
  return roots.filter((n): n is Element => n instanceof Element);
}
