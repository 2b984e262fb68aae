// The ids of bound elements and of roots that have none of their own, by which scripts can find
// them. The server computes the same ids: see "Ids of elements" in docs/protocol.md.

import type { Bind } from "../wire";

const PREFIX = "ui-";
const MADE = /^ui-\d+$/;

/** isMade reports whether an id was made here. */
export function isMade(id: string): boolean {
  return MADE.test(id);
}

/** IDs are the elements of a template that need an id, with their distance from the instance's id. */
export type IDs = readonly (readonly [element: number, distance: number])[];

/** Identified is what ids depend on: an Instance. */
interface Identified {
  readonly id: number;
  readonly roots: readonly ChildNode[];
  readonly targets: readonly Element[]; // by the number in data-ui
  readonly template: { readonly ids: IDs; readonly bindings: { readonly length: number } };
}

/** idsOf finds the elements with bindings that have no id. */
export function idsOf(bind: readonly Bind[], elements: readonly (Element | undefined)[]): IDs {
  const distances = new Map<number, number>();
  bind.forEach(({ element }, slot) => {
    if (elements[element]?.id === "" && !distances.has(element)) distances.set(element, slot + 1);
  });
  return [...distances];
}

/** giveIDs gives the elements of a new instance their ids. */
export function giveIDs({ id, roots, targets, template }: Identified): void {
  const first = roots.find((node) => node instanceof Element);
  if (first !== undefined && first.id === "") first.id = PREFIX + id;
  for (const [element, distance] of template.ids) {
    const target = targets[element];
    if (target !== undefined && target.id === "") target.id = PREFIX + (id + distance);
  }
}

/** takeIDs takes the ids that giveIDs has given. */
export function takeIDs({ id, roots, targets, template }: Identified): void {
  const first = roots.find((node) => node instanceof Element);
  for (const element of [first, ...template.ids.map(([n]) => targets[n])]) {
    if (element === undefined || !isMade(element.id)) continue;
    const distance = Number(element.id.slice(PREFIX.length)) - id;
    if (distance >= 0 && distance <= template.bindings.length) element.removeAttribute("id");
  }
}

/** renewIDs changes the ids of an instance whose own id was old. */
export function renewIDs(instance: Identified, old: number): void {
  for (const root of instance.roots) {
    if (!(root instanceof Element)) continue;
    renewID(root, instance, old);
    for (const element of root.querySelectorAll(`[id^="${PREFIX}"]`)) renewID(element, instance, old);
  }
}

/** renewID changes the id of one element if it was made for an instance whose own id was old. */
export function renewID(element: Element, { id, template }: Identified, old: number): void {
  if (!isMade(element.id)) return;
  const distance = Number(element.id.slice(PREFIX.length)) - old;
  if (distance >= 0 && distance <= template.bindings.length) element.id = PREFIX + (id + distance);
}
