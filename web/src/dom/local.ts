// Controls without binding, whose content only the page knows.

import { same, type Value } from "../data/value";
import { controlOf, isEdited, put } from "./control";

/** localOf returns what the person has made of a control; undefined if it is as in its template. */
export function localOf(element: Element): Value | undefined {
  return isEdited(element) && changed(element) ? controlOf(element)?.read(element) : undefined;
}

/** writeLocal gives a control the content of another one. It reports whether it can hold it. */
export function writeLocal(element: Element, content: Value): boolean {
  const control = isEdited(element) ? controlOf(element) : undefined;
  if (control === undefined) return false;
  const before = control.read(element);
  if (put(control, element, content)) return true;
  if (before !== undefined) control.write(element, before);
  return false;
}

const secrets = new WeakSet<Element>(); // controls that have been secret: a script may make them visible

/** isSecret reports whether a control hides what is typed into it, or has ever been seen to. */
export function isSecret(element: Element): boolean {
  const type = element instanceof HTMLInputElement ? element.type : element.getAttribute("type")?.toLowerCase();
  if (type === "password") secrets.add(element);
  return secrets.has(element);
}

function changed(element: Element): boolean {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) {
    const form = document.createElement("form");
    const fresh = form.appendChild(element.cloneNode(true)) as typeof element;
    form.reset();
    const control = controlOf(element);
    return !same(control?.read(element), control?.read(fresh));
  }
  for (const [property, original] of [["checked", "defaultChecked"], ["value", "defaultValue"]] as const) {
    if (property in element && original in element) {
      return !same(Reflect.get(element, property) as Value, Reflect.get(element, original) as Value);
    }
  }
  return element.localName === "sl-rating" && Reflect.get(element, "value") !== Number(element.getAttribute("value") ?? 0);
}
