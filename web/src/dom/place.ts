// Where the person has entered something, in words that another page understands, too.

import { isEdited } from "./control";
import type { Editors, Entry } from "./editors";
import { isMade } from "./ids";
import type { Instance } from "./instance";
import { labelOf } from "./label";
import { typeOf } from "./local";

/** Place is a control by its view, its object, and what identifies it there. */
export interface Place {
  readonly epoch: string | undefined; // of the session, in which objects have their identities
  readonly key: string; // of the template
  readonly object: number; // that a binding writes to, or that the view displays
  readonly written: string; // the binding as written; "" for a control without one
  readonly look: string; // of a control without a binding: all that it has of its own
}

/** placeOf returns the place of a control with a binding. */
export function placeOf({ element, field, key, written }: Entry, epoch: string | undefined): Place {
  return { epoch, key, object: field.editor.owner, written, look: kindOf(element) };
}

/** placeIn returns the place of a control of an instance that has no binding. */
export function placeIn({ template, object }: Instance, element: Element, epoch: string | undefined): Place {
  return { epoch, key: template.key, object, written: "", look: lookOf(element) };
}

/** around returns the innermost instance with an element. */
export function around(element: Element, instances: Iterable<Instance>): Instance | undefined {
  const byRoot = new Map<Node, Instance>();
  for (const instance of instances) for (const root of instance.roots) byRoot.set(root, instance); // those inside come later
  for (let node: Node | null = element; node !== null; node = node.parentNode) {
    const instance = byRoot.get(node);
    if (instance !== undefined) return instance;
  }
  return undefined;
}

/**
 * at returns the control of a place, if it is displayed: where a binding has several, such as
 * choices, the one that is of the same kind.
 */
export function at({ key, object, written, look }: Place, instances: Iterable<Instance>, editors: Editors): Element | undefined {
  if (object === 0) return undefined;
  const found: Element[] = [];
  for (const instance of instances) {
    const { template, targets, roots } = instance;
    if (template.key !== key) continue;
    if (written === "") {
      if (instance.object !== object) continue;
      for (const root of roots) {
        if (!(root instanceof Element)) continue;
        for (const element of [root, ...root.querySelectorAll("*")]) {
          if (isEdited(element) && editors.of(element) === undefined && lookOf(element) === look) found.push(element);
        }
      }
      continue;
    }
    for (const { element } of template.order) {
      const target = targets[element];
      const entry = target && editors.of(target);
      if (target !== undefined && entry?.written === written && entry.field.editor.owner === object) found.push(target);
    }
  }
  if (written === "") return found.length === 1 ? found[0] : undefined;
  return found.find((element) => kindOf(element) === look) ?? found[0];
}

/** lookOf describes a control by what a template says of it: components add attributes of their own. */
function lookOf(element: Element): string {
  const id = isMade(element.id) ? "" : element.id;
  return JSON.stringify([element.localName.includes("-") ? element.localName : kindOf(element), id, element.getAttribute("name"), labelOf(element)]);
}

/** kindOf says which kind of value a control holds: of choices, which choice. */
function kindOf(element: Element): string {
  const type = typeOf(element);
  return `${element.localName} ${type}${type === "radio" ? ` ${element.getAttribute("value")}` : ""}`;
}
