// Where the person has entered something, in words that another page understands, too.

import { isEdited } from "./control";
import type { Editors, Entry } from "./editors";
import type { Instance } from "./instance";
import type { Leaf } from "./written";

/** Place is a control by its view, its object, and what identifies it there. */
export interface Place {
  readonly epoch: string | undefined; // of the session, in which objects have their identities
  readonly key: string; // of the template
  readonly object: number; // that a binding writes to, or that the view displays
  readonly written: string; // the binding as written; "" for a control without one
  readonly look: string; // as written: the kind of a bound control, or all of another one; "" if nothing can be put there
}

/** placeOf returns the place of a control with a binding. */
export function placeOf({ field, key, written, kind }: Entry, epoch: string | undefined): Place {
  return { epoch, key, object: field.editor.owner, written, look: kind };
}

/** placeIn returns the place of a control of an instance that has no binding. */
export function placeIn({ template, targets, object }: Instance, element: Element, epoch: string | undefined): Place {
  const leaf = template.leaves.find(({ target }) => target >= 0 && targets[target] === element);
  return { epoch, key: template.key, object, written: "", look: leaf === undefined || !isEdited(element) ? "" : lookOf(leaf) };
}

function lookOf({ kind, id, look }: Leaf): string {
  return JSON.stringify([kind, id, look]);
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
  for (const { template, targets, object: displayed } of instances) {
    if (template.key !== key || (written === "" && displayed !== object)) continue;
    for (const leaf of template.leaves) {
      const element = targets[leaf.target];
      const entry = element && editors.of(element);
      if (element === undefined || entry?.written !== (written || undefined)) continue;
      if (entry === undefined ? lookOf(leaf) !== look : entry.field.editor.owner !== object) continue;
      if (entry?.kind === look) return element;
      found.push(element);
    }
  }
  return written === "" && found.length > 1 ? undefined : found[0];
}
