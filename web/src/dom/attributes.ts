// The attributes that two versions of an element have written differently.

import { isMade } from "./ids";

/** Change is an attribute with its text in the old version and in the next one; null without it. */
export type Change = readonly [name: string, old: string | null, next: string | null];

/** changes compares the attributes of two elements of templates. */
export function changes(old: Element | null, next: Element): readonly Change[] {
  const found: Change[] = [];
  for (const { name, value } of next.attributes) {
    const before = old?.getAttribute(name) ?? null;
    if (before !== value) found.push([name, before, value]);
  }
  for (const { name, value } of old?.attributes ?? []) if (!next.hasAttribute(name)) found.push([name, value, null]);
  return found;
}

/** amend applies changes to an element. What scripts and bindings have set beside them stays. */
export function amend(element: Element, list: readonly Change[]): void {
  for (const [name, old, next] of list) {
    if (name === "class") {
      element.classList.remove(...words(old).filter((word) => !words(next).includes(word)));
      element.classList.add(...words(next));
    } else if (name === "style" && element instanceof HTMLElement) {
      restyle(element.style, old, next);
    } else if (name === "id" && element.id !== (old ?? "") && !isMade(element.id)) {
      continue; // it is inherited
    } else if (next === null) {
      element.removeAttribute(name);
    } else {
      element.setAttribute(name, next);
    }
  }
}

/** restyle replaces the properties of a text by those of another one. */
export function restyle(style: CSSStyleDeclaration, old: string | null, next: string | null): void {
  const parsed = document.createElement("i").style;
  parsed.cssText = old ?? "";
  for (const name of [...parsed]) style.removeProperty(name);
  parsed.cssText = next ?? "";
  for (const name of [...parsed]) style.setProperty(name, parsed.getPropertyValue(name), parsed.getPropertyPriority(name));
}

/** words returns the names in the text of a class attribute. */
export function words(text: string | null): string[] {
  return text === null ? [] : text.split(/\s+/).filter((word) => word !== "");
}
